#include "cupel/record/floor.hpp"

#include <algorithm>
#include <vector>

#include "cupel/record/record.hpp"
#include "cupel/stats/location.hpp"

namespace cupel::record {
namespace {

// A figure shorter than this many floors cannot be told from the cost of measuring it.
constexpr double kFloors = 3;

double pooled_s(const std::vector<EventPair>& pairs, double EventPair::*which) {
  std::vector<double> readings_s;
  for (const EventPair& pair : pairs) readings_s.push_back(pair.*which);
  return stats::interquartile_mean(readings_s);
}

void correct(Series& series, const Calibration& calibration) {
  if (!series.engine) return;
  const double floor_s =
      *series.engine == Engine::copy ? calibration.event_floor_copy_s : calibration.event_floor_kernel_s;
  series.floor_s = series.correction_s = floor_s / static_cast<double>(series.calls_per_sample);
}

auto find(Row& row, Mode mode) { return std::ranges::find(row.series, mode, &Series::mode); }

}  // namespace

void set_shortest_work(Calibration& calibration, const ShortestWork& shortest) {
  calibration.shortest_kernel_s = shortest.kernel_s;
  calibration.shortest_copy_s = shortest.copy_s;
  calibration.shortest_source = shortest.source;
}

void pool_floor(Calibration& calibration) {
  const std::vector<EventPair>& pairs = calibration.event_pairs;
  if (pairs.empty() || !calibration.shortest_kernel_s || !calibration.shortest_copy_s) return;
  calibration.event_floor_kernel_s =
      std::max(0.0, pooled_s(pairs, &EventPair::kernel_s) - *calibration.shortest_kernel_s);
  calibration.event_floor_copy_s = std::max(0.0, pooled_s(pairs, &EventPair::copy_s) - *calibration.shortest_copy_s);
}

void apply_floor(std::span<Row> rows, const Calibration& calibration) {
  for (Row& row : rows) {
    const bool by_events = std::ranges::any_of(row.series, [](const Series& s) { return s.engine.has_value(); });
    if (!by_events) continue;
    for (Series& series : row.series) correct(series, calibration);
    choose_figure(row);
  }
}

void apply_floor(ResultSet& results) {
  if (!results.context.calibration) return;
  pool_floor(*results.context.calibration);
  apply_floor(results.rows, *results.context.calibration);
}

void choose_figure(Row& row) {
  const auto cold = find(row, Mode::cold);
  if (cold == row.series.end() || cold->floor_s <= 0) return;
  row.below_floor = stats::interquartile_mean(cold->corrected_s()) < kFloors * cold->floor_s;
  const auto figure = row.below_floor ? find(row, Mode::hot) : cold;
  if (figure != row.series.end()) std::rotate(row.series.begin(), figure, figure + 1);
}

}  // namespace cupel::record
