// How well figures repeat and what getting them cost: `cupel show --noise`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cupel/record/record.hpp"
#include "cupel/report/text/table.hpp"

namespace cupel::report {

/// The figure of one benchmark over its processes. Spreads are standard deviations of logarithms: 0.01 is 1 %.
struct Noise {
  std::string name;
  record::Mode mode = record::Mode::host;
  double time_s = 0;                            ///< median of the processes' locations
  int processes = 0;                            ///< that measured it
  std::int64_t samples = 0;                     ///< of all processes
  std::optional<double> between;                ///< process to process; nothing with one process
  double inside = 0;                            ///< inside a process, from the quartiles; median over processes
  int precise = 0, counted = 0, timed_out = 0;  ///< processes by why sampling stopped
  std::optional<double> sm_clock_hz;            ///< median over processes
  std::optional<double> power_w;                ///< the board's highest reading beside a round; median over processes
  bool unsettled = false;                       ///< in at least one process the clock had not recovered
  std::optional<bool> clock_under_load;         ///< it was read while the work ran
  bool power_limited = false;                   ///< by itself: figures::PowerLimit
  double wall_s = 0;                            ///< one process: all the benchmark took, median
  double overhead = 0;                          ///< share of that which was not measured work, median
};

/// Benchmarks that have a figure, in the order of the file.
std::vector<Noise> noise_of(const record::ResultSet& results);

/// A table, and below it the median and the 95th percentile of the process-to-process spread: of all benchmarks, and of
/// those of device time over 10 us that are not power-limited by themselves. columns: of the text. keep: of a name;
/// empty: all.
std::string show_noise(const record::ResultSet& results, bool markdown, std::size_t columns = Table::kAnyWidth,
                       const std::function<bool(const std::string&)>& keep = {});

}  // namespace cupel::report
