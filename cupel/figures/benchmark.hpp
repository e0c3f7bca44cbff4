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

  bool are_times() const;  ///< there is one at least, and each is positive and finite
  double value_s() const;  ///< their median; there is one at least
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
  std::optional<double> sm_clock_hz;         ///< SeenClock of the processes that count
  std::optional<bool> sm_clock_under_load;   ///< the same
  double clock_share = 1;                    ///< the same, of the limit's
  std::optional<double> power_capped_share;  ///< PowerLimit::share() of the processes that count
};

/// One benchmark of one suite. A process counts where it is ok, was not disturbed, did not have to wait for a CPU and
/// was not cut short.
struct Benchmark : Seen {
  std::string name;     ///< canonical, renamed
  std::string printed;  ///< of another program: the name as it prints it, renamed; else empty
  std::string clock;    ///< what its times are of, where they are of no wall clock: Row::clock
  std::string family;   ///< the executable; of a foreign file the name up to its first '/'
  Replication replication = Replication::process;
  std::vector<Locations> modes;           ///< the figure's first
  std::vector<Locations> left_out_modes;  ///< of processes that were left out: to be shown, and never judged
  std::map<std::string, CounterValues> counters;
  record::Workload workload;  ///< of one call
  std::optional<record::Limit> limit;
  int ok = 0;                    ///< processes that count
  int cut_short = 0;             ///< ok, but interrupted or out of time before its last round: as if it had not been
  std::string reason;            ///< of the first that failed, else was skipped
  bool below_floor = false;      ///< in at least one process that counts
  bool workload_varies = false;  ///< between processes
  std::string unsettled;         ///< what had not settled, in the first process that counts and says so

  /// Processes with a time, counted or not.
  int measured() const { return ok + left_out(); }
  int left_out() const { return disturbed + busy; }
  const Locations* mode(record::Mode wanted) const;

  /// Returns the median over all processes with a time in that mode, those that were left out as well; nothing without
  /// one.
  std::optional<double> value_of_all_s(record::Mode wanted) const;

  /// Returns the times that may be held against other suites': null where it failed, its name occurs twice, or it has
  /// no times. In the mode that it is known by, or in another.
  const Locations* times() const { return modes.empty() ? nullptr : times(modes.front().mode); }
  const Locations* times(record::Mode wanted) const;
};

/// One benchmark in all suites; null where a suite does not have it.
struct Matched {
  std::string name;                  ///< no two have one
  std::vector<const Benchmark*> in;  ///< as many as suites, pointing into them
};

}  // namespace cupel::figures
