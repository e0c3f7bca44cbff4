// The figure of each benchmark of a result file: the only place that turns samples into one. Every surface prints from
// it, so that none says another value, unit or mode than the next.
//
// The process is the unit: each gives one location, the inter-quartile mean of its corrected samples (process.hpp). A
// process counts unless it was disturbed, waited for a CPU or was cut short; where none is left, all that measured it
// count, and the caveats say what is wrong with them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cupel/figures/names.hpp"
#include "cupel/figures/process.hpp"
#include "cupel/figures/warning.hpp"
#include "cupel/record/advice_tag.hpp"
#include "cupel/record/forward.hpp"
#include "cupel/record/series.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::figures {

/// Level of intervals where there are processes enough for it.
inline constexpr double kIntervalLevel = 0.95;

/// A time over processes, in seconds.
struct Estimate {
  double location_s = 0;  ///< median of the processes' locations
  /// Ends of the interval of the median over processes; with one process, of the interval inside it.
  std::optional<double> low_s, high_s;
  double level = 0;                 ///< of the interval: 95 %, or less where there are too few processes for it
  std::vector<double> processes_s;  ///< one location each, in order of process
  bool across_processes = false;    ///< the interval's kind

  /// Tells whether the interval is the range of the processes, as it is of fewer than six: no interval over them has 95
  /// %.
  bool is_range() const { return across_processes && level < kIntervalLevel; }
};

/// The rate of work done per second: the quantity the limit is given in, else bytes, else flops, else items.
struct Rate {
  std::string quantity;  ///< "bytes", "flops" or "items"
  double per_second = 0;
  std::optional<double> limit_per_second = std::nullopt;
  /// SM clock that was seen, as a share of the limit's clock; 1 where the limit depends on no clock.
  double clock_share = 1;

  /// Returns the rate by the limit at the clock that was seen.
  std::optional<double> share_of_limit() const {
    if (!limit_per_second) return std::nullopt;
    return per_second / (*limit_per_second * clock_share);
  }
};

/// Returns the rate of one call of this work in so many seconds; nothing where nothing was counted, or only that it is
/// one call.
std::optional<Rate> rate_of(const record::Workload& workload, const std::optional<record::Limit>& limit, double time_s,
                            double clock_share = 1);

/// A number beside the time: the median of the processes', with its interval over them where there are several.
struct CounterValue {
  std::string name;
  double value = 0;
  std::string unit;
  std::optional<double> low, high;
};

/// The noise of a figure: how well it repeats, and what was seen beside it. Spreads are standard deviations of
/// logarithms: 0.01 is 1 %.
struct Noise {
  std::optional<double> between;                ///< process to process; nothing with one process
  double inside = 0;                            ///< inside a process, from the quartiles; median over processes
  int precise = 0, counted = 0, timed_out = 0;  ///< processes by why sampling stopped
  std::optional<double> sm_clock_hz;            ///< median over processes
  std::optional<bool> clock_under_load;         ///< it was read while the work ran
  std::optional<double> power_w;                ///< the board's highest reading beside a round; median over processes
  bool unsettled = false;                       ///< in at least one process clock, memory or pace had not
  bool power_limited = false;                   ///< PowerLimit::by_itself()
  double wall_s = 0;                            ///< one process: all the benchmark took, median
  double overhead = 0;                          ///< share of that which was not measured work, median
};

/// One benchmark in one mode: that by which it is known, or another of its modes.
struct Figure {
  std::string name;
  std::string family;
  std::string operation;  ///< the name before its first parameter
  std::vector<std::pair<std::string, std::string>> params;
  record::Mode mode = record::Mode::host;  ///< cold and hot are device time, host is the host's clock
  bool is_main = true;                     ///< its mode is the one that its benchmark is known by
  int ok = 0, skipped = 0, failed = 0;     ///< processes
  std::string reason;                      ///< reason of the first process that failed, else was skipped
  std::optional<Estimate> time;            ///< of one call; none without a process that is ok
  std::int64_t samples = 0;                ///< number of samples of all processes that count
  std::optional<Noise> noise;              ///< where there is a time
  std::optional<Rate> rate;
  record::Workload workload;            ///< of one call; of the first process that counts
  std::optional<record::Limit> limit;   ///< of the first process that counts
  std::vector<std::string> advice;      ///< ids, each once
  std::vector<record::AdviceTag> tags;  ///< all of them
  std::vector<std::string> caveats;     ///< "below floor", "above the limit", "1 of 3 failed", ...
  std::set<Warning> warnings;           ///< the kinds of these
  std::vector<CounterValue> counters;   ///< by name; of the main figure only
  bool below_floor = false;             ///< its time cannot be told from the cost of measuring it: it has no rate
  std::string unusual;                  ///< what is unusual of its work; it then heads no list
  std::string judged_by;                ///< the counter that its advice is judged by; empty: the time
  bool shown_as_time = false;           ///< its advice says so: the rate would mislead
  std::string note;                     ///< one line for the reader; may be empty

  /// Tells whether it was skipped in all of its processes.
  bool only_skipped() const { return ok == 0 && failed == 0; }
  /// Returns the counter of this name, or null.
  const CounterValue* counter(const std::string& wanted) const;
  /// Returns the value of this parameter, or null.
  const std::string* param(const std::string& wanted) const;
};

/// Makes the figures, in the order in which the names first appear; the main figure of a benchmark before its other
/// modes. Several rows of one process are one: their samples are pooled, and a caveat says so. Times are seconds.
/// results: as record::read(path) gives them.
///
///     for (const Figure& figure : figures_of(results)) {
///       if (figure.time) std::printf("%s: %g s\n", figure.name.c_str(), figure.time->location_s);
///     }
std::vector<Figure> figures_of(const record::ResultSet& results);

/// Returns the time of one benchmark in this mode. Nothing where none of its processes was measured in it.
std::optional<Estimate> time_of(std::span<const Process> processes, record::Mode mode);

/// Returns the counter of one benchmark. Nothing where none of its processes has it.
std::optional<CounterValue> counter_of(std::span<const Process> processes, const std::string& name);

/// The share of free memory that can be had in one piece: a counter of a row, or its largest_block by its free_bytes.
inline constexpr const char* kUsableShare = "usable_share";

/// Returns a row's counter; kUsableShare also from its largest_block and free_bytes. Nothing where it has neither.
std::optional<record::Counter> counter_of(const record::Row& row, const std::string& name);

}  // namespace cupel::figures
