// One benchmark of a result: its locations, one a process, its counters, and what was seen beside them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cupel/record/counter.hpp"
#include "cupel/record/series.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::figures {

/// The unit of a benchmark's values. Processes differ from each other by more than what one process sees of itself,
/// so an interval over repetitions of one process is too narrow: it tells these two processes apart, not the programs.
enum class Replication { process, repetition };

constexpr auto names_of(Replication) { return std::array{"process", "repetition"}; }
using record::to_string;

/// One mode of one benchmark over the processes that count.
struct Locations {
  record::Mode mode = record::Mode::host;
  std::vector<double> values_s;    ///< inter-quartile mean of each process's corrected samples; or repetitions
  std::int64_t samples = 0;        ///< behind all of them
  std::vector<double> tails = {};  ///< ProcessTimes::tail of each process that has one

  bool are_times() const;  ///< tells whether there are values, all positive and finite
  double value_s() const;  ///< the median of values_s, which is not empty
};

/// A counter over the processes that count.
struct CounterValues {
  std::string unit;
  record::Better better = record::Better::none;
  bool exact = false;
  std::vector<double> values;
};

/// The state of the processes of one benchmark, beside its values.
struct Seen {
  int disturbed = 0;  ///< ok, but throttled by heat or shared: left out
  int busy = 0;       ///< ok and not disturbed, but is_busy(): left out
  int failed = 0, skipped = 0;
  bool twice = false;                        ///< the name occurs twice in a process, or two names were renamed to it
  std::optional<double> sm_clock_hz;         ///< SeenClock::hz() of the processes that count
  std::optional<bool> sm_clock_under_load;   ///< SeenClock::under_load() of these
  double clock_share = 1;                    ///< SeenClock::share_of() the limit of these
  std::optional<double> power_capped_share;  ///< PowerLimit::share() of the processes that count
};

/// One benchmark of one suite. A process counts where it is ok, was not disturbed, did not have to wait for a CPU and
/// was not cut short.
struct Benchmark : Seen {
  std::string name;     ///< canonical, renamed
  std::string printed;  ///< the name as another program prints it, renamed; empty for cupel's own
  std::string clock;    ///< clock of its times, if not wall time: Row::clock
  std::string family;   ///< the executable; of a foreign file the name up to its first '/'
  Replication replication = Replication::process;
  std::vector<Locations> modes;           ///< the figure's first
  std::vector<Locations> left_out_modes;  ///< of processes that were left out: shown, and never judged
  std::map<std::string, CounterValues> counters;
  record::Workload workload;  ///< of one call
  std::optional<record::Limit> limit;
  int ok = 0;                    ///< processes that count
  int cut_short = 0;             ///< ok, but interrupted or out of time before its last round: not counted
  std::string reason;            ///< reason of the first process that failed, else was skipped
  bool below_floor = false;      ///< in at least one process that counts
  bool workload_varies = false;  ///< between processes
  std::string unsettled;         ///< parts that had not settled, in the first process that counts and says so

  /// Returns the processes with a time, counted or not.
  int measured() const { return ok + left_out(); }
  /// Returns the processes that are ok and left out.
  int left_out() const { return disturbed + busy; }
  /// Returns the times in this mode, or null.
  const Locations* mode(record::Mode wanted) const;

  /// Returns the median over all processes with a time in that mode, those that were left out as well; nothing without
  /// one.
  std::optional<double> value_of_all_s(record::Mode wanted) const;

  /// Returns the times to compare with other suites, in the main mode or `wanted`; null where the benchmark failed, its
  /// name occurs twice, or it has no times.
  const Locations* times() const { return modes.empty() ? nullptr : times(modes.front().mode); }
  const Locations* times(record::Mode wanted) const;
};

/// One benchmark in all suites; null where a suite does not have it.
struct Matched {
  std::string name;                  ///< no two have one
  std::vector<const Benchmark*> in;  ///< as many as suites, pointing into them
};

}  // namespace cupel::figures
