#include "cupel/figures/figure_mode.hpp"

#include <algorithm>

#include "cupel/record/row.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::figures {

bool is_busy(const record::Row& row) {
  const record::Series* figure = row.main_series();
  const auto waited = row.counters.find(record::kCpuWait);
  // The unit tells ours from a counter that another program calls so too.
  return figure != nullptr && figure->mode == record::Mode::host && waited != row.counters.end() &&
         waited->second.unit == "1" && waited->second.value > record::kBusy;
}

Standing standing_of(const record::Row& row) {
  if (row.status == record::Status::failed) return Standing::failed;
  if (row.status == record::Status::skipped) return Standing::skipped;
  if (row.cut_short) return Standing::cut_short;
  if (row.disturbed) return Standing::disturbed;
  return is_busy(row) ? Standing::busy : Standing::counts;
}

void FigureMode::add(const record::Row& row) {
  if (const record::Series* figure = row.main_series()) ++rows_[static_cast<std::size_t>(figure->mode)];
}

std::optional<record::Mode> FigureMode::mode() const {
  std::optional<record::Mode> most;
  int count = 0;
  for (const record::Mode mode : {record::Mode::hot, record::Mode::cold, record::Mode::host, record::Mode::sustained}) {
    const int rows = rows_[static_cast<std::size_t>(mode)];
    if (rows <= count) continue;
    most = mode;
    count = rows;
  }
  return most;
}

std::vector<record::Mode> modes_of(std::span<const record::Row* const> rows) {
  FigureMode figure;
  std::vector<record::Mode> modes;
  for (const record::Row* row : rows) {
    figure.add(*row);
    for (const record::Series& series : row->series) {
      if (std::ranges::find(modes, series.mode) == modes.end()) modes.push_back(series.mode);
    }
  }
  std::stable_partition(modes.begin(), modes.end(), [&](record::Mode mode) { return mode == figure.mode(); });
  return modes;
}

double location_s(const record::Series& series) { return stats::interquartile_mean(series.corrected_s()); }

std::optional<double> tail_of(std::span<const double> samples_s, double location_s) {
  constexpr std::size_t kFewest = 10;
  constexpr double kSlowest = 0.99;
  if (samples_s.size() < kFewest || !(location_s > 0)) return std::nullopt;
  return stats::quantile(samples_s, kSlowest) / location_s;
}

const record::Series* series_of(const record::Row& row, record::Mode mode) {
  const auto found = std::ranges::find(row.series, mode, &record::Series::mode);
  return found == row.series.end() || found->samples_s.empty() ? nullptr : &*found;
}

}  // namespace cupel::figures
