// What a result file says of each benchmark, over its processes. The process is the unit: each gives one location, the
// inter-quartile mean of its corrected samples.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/record/record.hpp"
#include "cupel/units/unit.hpp"

namespace cupel::figures {

/// A time over processes, in seconds.
struct Estimate {
  double location_s = 0;         ///< median of the processes' locations
  std::optional<double> low_s;   ///< interval of that median over processes, whatever their distribution; of a single
  std::optional<double> high_s;  ///< process, the interval inside it
  double level = 0;              ///< that the interval has: 95 %, or less where there are too few processes for it
  std::vector<double> processes_s;  ///< one location each, in order of process
  bool across_processes = false;    ///< the interval's kind
};

/// Work done per second: the quantity the limit is given in, else bytes, else flops, else items.
struct Rate {
  std::string quantity;  ///< "bytes", "flops" or "items"
  double per_second = 0;
  std::optional<double> limit_per_second = std::nullopt;
  double clock_share =
      1;  ///< the SM clock that was seen, of the one that the limit goes with; 1 where it goes with none

  /// Of the limit at the clock that was seen.
  std::optional<double> share_of_limit() const {
    if (!limit_per_second) return std::nullopt;
    return per_second / (*limit_per_second * clock_share);
  }
};

/// A number beside the time: the median of the processes', with its interval over them where there are several.
struct CounterValue {
  std::string name;
  double value = 0;
  std::string unit;
  std::optional<double> low, high;
};

/// Flag of a rate that beats what it is held against.
inline constexpr const char* kFlagAboveLimit = "above the limit";

/// One series of one benchmark: its figure, or another of its modes.
struct Summary {
  std::string name;
  std::string family;
  std::string operation;  ///< the name before its first parameter
  std::vector<std::pair<std::string, std::string>> params;
  record::Mode mode = record::Mode::host;
  bool figure = true;                   ///< of the series that its benchmark is known by
  int ok = 0, skipped = 0, failed = 0;  ///< processes
  std::string reason;                   ///< of the first that failed, else was skipped
  std::optional<Estimate> time;         ///< none without a process that is ok
  std::optional<Rate> rate;
  record::Workload workload;  ///< of one call; of the first process that is ok
  std::string limit_name;
  std::vector<std::string> advice;      ///< ids, each once
  std::vector<record::AdviceTag> tags;  ///< all of them
  std::vector<std::string> flags;       ///< "below floor", kFlagAboveLimit, "1 of 3 failed", ...
  std::vector<CounterValue> counters;   ///< by name; of the figure only
  std::string judged_by;                ///< the one of them that its advice is about; empty: the time
  bool shown_as_time = false;           ///< its advice says so: the rate would mislead
  std::string note;
};

/// In the order in which the names first appear; the figure of a benchmark before its other series.
std::vector<Summary> summarise(const record::ResultSet& results);

/// "transfer/h2d/memory:pinned/bytes:4096" is "transfer/h2d": up to the first component with a ':'.
std::string operation_of(const std::string& name);

/// What tells a benchmark from the others of its operation, sizes as people read them: of
/// "transfer/h2d/memory:pinned/bytes:4096" it is "memory:pinned bytes:4 KiB"; of a name without parameters its last
/// part.
std::string label_of(const std::string& name);

/// "page_faults 4096", "cpu_time 1.20 us".
std::string counter_text(const CounterValue& counter);

/// "4096", "1.20 us".
std::string amount_text(const CounterValue& counter);

/// The counter of that name, or null.
const CounterValue* counter(const Summary& summary, const std::string& name);

/// "fp16" of "fp16 at 1980 MHz": the share that is shown is that of the peak at the clock that was seen.
std::string limit_text(const Summary& summary);

/// "55.4 GB/s".
std::string rate_text(const std::string& quantity, double per_second);

/// The unit of a rate of "bytes", "flops" or "items".
units::Unit unit_of_rate(const std::string& quantity);

/// "4 KiB" of the value 4096 of a parameter that counts bytes; other values stay as they are.
std::string readable_value(const std::string& parameter, const std::string& value);

/// As strings are ordered, but runs of digits by their value: "bytes:512" before "bytes:4096".
bool natural_less(const std::string& a, const std::string& b);

}  // namespace cupel::figures
