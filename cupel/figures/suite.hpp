// Result sets as suites of benchmarks, each with one location a process, and which benchmark of one suite is which of
// another.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cupel/figures/benchmark.hpp"
#include "cupel/figures/figure_mode.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/renames.hpp"
#include "cupel/figures/seen_clock.hpp"
#include "cupel/record/context.hpp"

namespace cupel::figures {

/// A result set as benchmarks with one location a process.
struct Suite {
  std::string label;  ///< how the reader knows it: the file's name
  record::Context context;
  Replication replication = Replication::process;
  bool foreign = false;               ///< read from a Google Benchmark file, which was named by itself: see match()
  std::set<std::string> renamed;      ///< old names that were found and renamed
  std::vector<Benchmark> benchmarks;  ///< in the order in which the names first appear
};

/// Makes a suite of rows one at a time, so that samples need not be kept: 15 million take 120 MB.
class SuiteBuilder {
 public:
  /// Makes an empty suite. label: how the reader knows it.
  explicit SuiteBuilder(std::string label, const Renames& renames = {});

  /// Adds a row. foreign: of one Google Benchmark file, so that each sample is one repetition of one process; the same
  /// for all rows.
  void add(const record::Row& row, bool foreign = false);

  /// Declares that the rows are of Google Benchmark files, each of one process.
  void are_foreign_processes() { suite_.foreign = true; }

  /// Returns the suite of the rows that were added. Call it once.
  Suite finish(record::Context context);

 private:
  struct Building {
    Benchmark benchmark;
    std::vector<int> processes;  ///< seen, to find names that occur twice
    Tally tally;
    SeenClock clock;
    FigureMode figure;  ///< over all processes, as elsewhere
    PowerLimit power_limit;
  };

  Building& building(const record::Row& row);
  const std::string* renamed(const record::Row& row);
  void add_counted(Building& building, const Process& process);
  void add_times(std::vector<Locations>& modes, const Process& process) const;

  Suite suite_;
  Renames renames_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Building> building_;
  std::optional<bool> clock_read_;  ///< whether while the work ran, as newer files say; nothing without a clock
};

/// Makes the suite of a whole result set. foreign: as of SuiteBuilder::add().
Suite suite_of(const record::ResultSet& results, std::string label, const Renames& renames = {}, bool foreign = false);

/// Reads the suite of a result file or of the folder of a run (runs.hpp), ours or of any Google Benchmark program. Of a
/// file no more than a row is in memory at a time. Throws as read_run().
Suite read_suite(const std::string& file_or_folder, const Renames& renames = {});

/// Matches benchmarks by name: those of the first suite in its order, then those that it does not have, in the order of
/// the next suites. Where one is of another program's file, names are as record::common_names() has them of all suites
/// together.
std::vector<Matched> match(std::span<const Suite> suites);

}  // namespace cupel::figures
