// Puts together what the children measured: rows in the plan's order, one context out of all.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cupel/record/floor.hpp"
#include "cupel/record/record.hpp"
#include "cupel/runner/plan.hpp"

namespace cupel::runner {

/// The part of a family that is still to be measured.
struct Lack {
  std::size_t benchmarks = 0;  ///< missing in some process
  int processes = 0;           ///< in which something is missing
  double expected_s = 0;
};

class Collection {
 public:
  /// The context's run is described by the plan, which must outlive the collection.
  explicit Collection(const Plan& plan);

  /// Continues an earlier run: its rows and context are kept, but that a row that was cut short counts as missing.
  void adopt(record::ResultSet earlier);

  /// Rows and context of one child. Rows of benchmarks that are not planned, or are there already, are left out; one
  /// that was cut short gives way to any other.
  void add(const PlannedFamily& family, int process, std::vector<record::Row> rows);
  void add(const record::Context& context);

  /// A row for a benchmark that has none: failed or skipped, with the reason.
  void add_missing(const PlannedFamily& family, const std::string& name, int process, record::Status status,
                   const std::string& reason);

  /// The family's planned benchmarks that have no whole row of this process, in the order of the plan.
  std::vector<std::string> missing(const PlannedFamily& family, int process) const;

  Lack lack(const PlannedFamily& family) const;

  /// To the notes of these rows of the process.
  void add_note(const PlannedFamily& family, int process, const std::vector<record::Row>& rows,
                const std::string& text);

  void note(const std::string& key, const std::string& text);
  /// Takes what the family's executable is now, by files::content_mark(). False where it was another when this run, or
  /// the one that it continues, began with it.
  bool is_executable(const std::string& family, const std::string& mark);

  void set_processes(int processes) { results_.context.run.processes = processes; }
  void finish(bool interrupted);

  /// Sets what CUPTI read on this device; it goes before what the children say.
  void set_shortest_work(const record::ShortestWork& work) { shortest_work_ = work; }

  /// Pools what event pairs cost over all processes so far, and corrects every time by it.
  void apply_floor();

  const record::ResultSet& results() const { return results_; }

  /// Rows in the order of families, benchmarks and processes.
  void sort();

 private:
  void replace_or_add(record::Row row);
  std::pair<std::size_t, std::size_t> place(const record::Row& row) const;

  const Plan& plan_;
  record::ResultSet results_;
  std::optional<record::ShortestWork> shortest_work_;
  bool has_context_ = false;
  std::set<std::pair<std::string, int>> present_;  ///< name and process of whole rows
};

}  // namespace cupel::runner
