// Result sets as suites of benchmarks, each with one location a process, and which benchmark of one suite is which of
// another.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cupel/figures/figure_mode.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/seen_clock.hpp"
#include "cupel/record/record.hpp"

namespace cupel::figures {

/// What the values of a benchmark are. Processes differ from each other by more than what one process sees of itself,
/// so an interval over repetitions of one process is too narrow: it tells these two processes apart, not the programs.
enum class Replication { process, repetition };

constexpr auto names_of(Replication) { return std::array{"process", "repetition"}; }
using record::to_string;

/// Old name to new name, of benchmarks that were renamed between two results.
using Renames = std::map<std::string, std::string, std::less<>>;

/// One mode of one benchmark over the processes that count.
struct Locations {
  record::Mode mode = record::Mode::host;
  std::vector<double> values_s;  ///< inter-quartile mean of each process's corrected samples; or repetitions
  std::int64_t samples = 0;      ///< behind all of them

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

/// What was seen of the processes of one benchmark beside its values.
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
  std::vector<Locations> modes;  ///< the figure's first
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

  /// Those that may be held against other suites': null where it failed, its name occurs twice, or it has no times. In
  /// the mode that it is known by, or in another.
  const Locations* times() const { return modes.empty() ? nullptr : times(modes.front().mode); }
  const Locations* times(record::Mode wanted) const;
};

struct Suite {
  std::string label;  ///< how the reader knows it: the file's name
  record::Context context;
  Replication replication = Replication::process;
  bool foreign = false;               ///< of a Google Benchmark file, which was named by itself: see match()
  std::set<std::string> renamed;      ///< old names of the renames that there was something to rename for
  std::vector<Benchmark> benchmarks;  ///< in the order in which the names first appear
};

/// Makes a suite of rows one at a time, so that samples need not be kept: 15 million take 120 MB.
class SuiteBuilder {
 public:
  explicit SuiteBuilder(std::string label, const Renames& renames = {});

  /// foreign: of one Google Benchmark file, so that each sample is one repetition of one process. All rows or none.
  void add(const record::Row& row, bool foreign = false);

  /// The rows are of Google Benchmark files, each of one process.
  void are_foreign_processes() { suite_.foreign = true; }

  Suite finish(record::Context context);

 private:
  struct Building {
    Benchmark benchmark;
    std::vector<int> processes;  ///< seen, to find names that occur twice
    SeenClock clock;
    FigureMode figure;  ///< over all processes, as elsewhere
    PowerLimit power_limit;
  };

  Building& building(const record::Row& row);
  const std::string* renamed(const record::Row& row);
  void add_counted(Building& building, const record::Row& row);
  void add_figures(Benchmark& benchmark, const record::Row& row) const;

  Suite suite_;
  Renames renames_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Building> building_;
  std::optional<bool> clock_read_;  ///< whether while the work ran, as newer files say; nothing without a clock
};

/// A whole result set. foreign as above.
Suite suite_of(const record::ResultSet& results, std::string label, const Renames& renames = {}, bool foreign = false);

/// One benchmark in all suites; null where a suite does not have it.
struct Matched {
  std::string name;                  ///< no two have one
  std::vector<const Benchmark*> in;  ///< as many as suites, pointing into them
};

/// By name: those of the first suite in its order, then those that it does not have, in the order of the next suites.
/// Where one is of another program's file, names are as record::common_names() has them of all suites together.
std::vector<Matched> match(std::span<const Suite> suites);

}  // namespace cupel::figures
