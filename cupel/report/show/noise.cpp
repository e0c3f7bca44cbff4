#include "cupel/report/show/noise.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cupel/figures/figure.hpp"
#include "cupel/figures/figure_mode.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/seen_clock.hpp"
#include "cupel/report/text/table.hpp"
#include "cupel/report/text/wrap.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

constexpr double kLongEnough_s = 10e-6;

// Quartiles of a normal distribution are 1.349 standard deviations apart.
constexpr double kQuartilesApart = 1.3489795003921634;

using Rows = std::vector<const record::Row*>;

double spread_inside(const std::vector<double>& corrected_s) {
  std::vector<double> positive;
  std::copy_if(corrected_s.begin(), corrected_s.end(), std::back_inserter(positive), [](double t) { return t > 0; });
  if (positive.size() < 2) return 0;
  const std::vector<double> logs = stats::logarithms(positive);
  return (stats::quantile(logs, 0.75) - stats::quantile(logs, 0.25)) / kQuartilesApart;
}

void count_stop(Noise& noise, record::Stop stop) {
  if (stop == record::Stop::precision || stop == record::Stop::tick) ++noise.precise;
  if (stop == record::Stop::count || stop == record::Stop::fixed) ++noise.counted;
  if (stop == record::Stop::wall) ++noise.timed_out;
}

// What the device showed, in each process.
struct Seen {
  figures::SeenClock clock;
  std::vector<double> powers_w;
  bool unsettled = false;

  void add(const record::Telemetry& telemetry) {
    clock.add(telemetry);
    if (telemetry.power_w) powers_w.push_back(*telemetry.power_w);
    unsettled |= !telemetry.settled;
  }
};

Noise noise_of_rows(const Rows& rows) {
  Noise noise;
  noise.name = rows.front()->name;
  noise.mode = figures::modes_of(rows).front();
  std::vector<double> locations_s, inside, walls_s, overheads;
  Seen seen;
  figures::PowerLimit power_limit;
  for (const record::Row* row : rows) {
    power_limit.add(*row);
    const record::Series* figure = figures::series_of(*row, noise.mode);
    if (figure == nullptr) continue;
    const std::vector<double> corrected_s = figure->corrected_s();
    locations_s.push_back(stats::interquartile_mean(corrected_s));
    inside.push_back(spread_inside(corrected_s));
    noise.samples += static_cast<std::int64_t>(corrected_s.size());
    count_stop(noise, figure->stop);
    if (row->telemetry) seen.add(*row->telemetry);
    walls_s.push_back(row->wall_s);
    if (row->wall_s > 0) overheads.push_back(std::clamp(1 - row->timed_s / row->wall_s, 0.0, 1.0));
  }
  noise.processes = static_cast<int>(locations_s.size());
  noise.time_s = stats::median(locations_s);
  const bool all_positive = std::all_of(locations_s.begin(), locations_s.end(), [](double t) { return t > 0; });
  if (locations_s.size() > 1 && all_positive) {
    noise.between = stats::standard_deviation(stats::logarithms(locations_s));
  }
  noise.inside = stats::median(inside);
  noise.power_limited = power_limit.by_itself();
  noise.sm_clock_hz = seen.clock.hz();
  noise.clock_under_load = seen.clock.under_load();
  noise.power_w = stats::median_if_any(seen.powers_w);
  noise.unsettled = seen.unsettled;
  noise.wall_s = stats::median(walls_s);
  noise.overhead = stats::median_if_any(overheads).value_or(0);
  return noise;
}

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string stops_text(const Noise& noise) {
  std::string text;
  const auto add = [&](int count, const char* word) {
    if (count > 0)
      text += (text.empty() ? "" : ", ") + (count == noise.processes ? word : fmt::format("{} {}", count, word));
  };
  add(noise.precise, "precise");
  add(noise.counted, "count");
  add(noise.timed_out, "wall");
  return text;
}

std::string clock_text(const Noise& noise) {
  if (!noise.sm_clock_hz) return "";
  const bool idle = noise.mode != record::Mode::host && noise.clock_under_load == false;
  return fmt::format("{:.0f} MHz{}{}{}", *noise.sm_clock_hz * 1e-6, idle ? " idle" : "",
                     noise.unsettled ? ", unsettled" : "", noise.power_limited ? ", limited" : "");
}

std::string power_text(const Noise& noise) {
  return noise.power_w ? units::format(*noise.power_w, units::Unit::watts) : "";
}

bool is_long_device_time(const Noise& noise) {
  return noise.mode != record::Mode::host && noise.time_s > kLongEnough_s && !noise.power_limited;
}

std::string line_of(const char* whose, const std::vector<double>& spreads) {
  if (spreads.empty()) return "";
  return fmt::format("process-to-process sd of {} {}: median {}, 95th percentile {}, greatest {}\n", spreads.size(),
                     whose, percent(stats::median(spreads)), percent(stats::quantile(spreads, 0.95)),
                     percent(*std::max_element(spreads.begin(), spreads.end())));
}

std::string conclusion(const std::vector<Noise>& all) {
  std::vector<double> every, long_device;
  for (const Noise& noise : all) {
    if (!noise.between) continue;
    every.push_back(*noise.between);
    if (is_long_device_time(noise)) long_device.push_back(*noise.between);
  }
  if (every.empty()) return "one process: nothing can be said of process-to-process noise\n";
  return line_of("benchmarks", every) + line_of("of device time over 10 us, not power-limited by itself", long_device);
}

}  // namespace

std::vector<Noise> noise_of(const record::ResultSet& results) {
  std::vector<std::string> order;
  std::map<std::string, Rows> rows_of;
  for (const record::Row& row : results.rows) {
    const record::Series* figure = row.figure();
    if (row.status != record::Status::ok || figure == nullptr || figure->samples_s.empty()) continue;
    Rows& rows = rows_of[row.name];
    if (rows.empty()) order.push_back(row.name);
    rows.push_back(&row);
  }
  std::vector<Noise> all;
  for (const std::string& name : order) all.push_back(noise_of_rows(rows_of[name]));
  return all;
}

std::string show_noise(const record::ResultSet& results, bool markdown, std::size_t columns,
                       const std::function<bool(const std::string&)>& keep) {
  std::vector<Noise> all = noise_of(results);
  if (keep) std::erase_if(all, [&](const Noise& noise) { return !keep(noise.name); });
  Table table({{"benchmark", Align::left, Fold::above},
               {"mode"},
               {"time", Align::right},
               {"between", Align::right},
               {"inside", Align::right},
               {"samples", Align::right, Fold::none, 3},
               {"stopped by", Align::left, Fold::none, 1},
               {"SM clock"},
               {"power", Align::right, Fold::none, 2},
               {"wall", Align::right, Fold::none, 4},
               {"overhead", Align::right}});
  std::string operation;
  for (const Noise& noise : all) {
    if (figures::operation_of(noise.name) != operation) {
      operation = figures::operation_of(noise.name);
      table.group(operation);
    }
    table.row({figures::label_of(noise.name), record::to_string(noise.mode),
               units::format(noise.time_s, units::Unit::seconds), noise.between ? percent(*noise.between) : "",
               percent(noise.inside),
               fmt::format("{} x {}", noise.processes, noise.samples / std::max(noise.processes, 1)), stops_text(noise),
               clock_text(noise), power_text(noise), units::format(noise.wall_s, units::Unit::seconds),
               percent(noise.overhead)});
  }
  std::string explained =
      "between: sd over processes; inside: sd inside a process, from the quartiles; idle: the clock beside work too "
      "short to read it in; power, the board's highest reading beside a round; overhead: share of the wall time of one "
      "process that was not measured work\n";
  const std::string limited = figures::power_limited_text(figures::power_limited(results, keep));
  if (!limited.empty()) explained += "power: " + limited + ", which is no fault\n";
  if (markdown) return table.markdown() + "\n" + conclusion(all) + explained;
  const std::vector<std::string> left_out = table.left_out(columns);
  if (!left_out.empty()) explained += left_out_text(left_out) + "\n";
  return table.text(columns) + "\n" + wrap_lines(conclusion(all) + explained, columns);
}

}  // namespace cupel::report
