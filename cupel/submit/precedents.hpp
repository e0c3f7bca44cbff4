// Precedents: results that are there already, and the program's own list, which say what a result must hold.
//
// A revision registers the same benchmarks on every GPU, and one that cannot run keeps a row that says why. So a
// revision's benchmarks are known from any whole result of it, and those that an earlier revision and a later one have
// are in it, too. Nothing else is certain: a revision may have renamed benchmarks or dropped them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/record/forward.hpp"
#include "cupel/record/machine.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::submit {

/// A benchmark as a precedent has it.
struct KnownBenchmark {
  bool is_measured = false;
  bool is_watched = false;  ///< it has telemetry
  record::Workload workload;
  std::optional<record::Limit> limit;
};

/// The benchmarks of a result, or of a list, which knows their names alone.
struct Precedent {
  std::string origin;    ///< a file, or "this cupel's own list"
  std::string revision;  ///< of cupel, whole
  std::string profile;   ///< "quick", "standard" or "full": each holds the one before
  int cpus = 0;          ///< that its programs could use; 0 when unknown
  std::string model;     ///< figures::model_of(); empty of a list
  record::DeviceInfo device;
  std::map<std::string, KnownBenchmark> benchmarks;  ///< by name
};

/// Returns the benchmarks of a result, those that were not measured included.
Precedent precedent_of(const std::string& origin, const record::ResultSet& results);

/// Tells whether the row has the device's telemetry: every one has the SM clock.
bool is_watched(const record::Row& row);

/// Holds results against precedents of their families in their profile or a smaller one. Not asked for are benchmarks
/// by numbers of workers and threads (`workers:16`) of a machine with other CPUs: their names come of its number.
class Precedents {
 public:
  /// revisions: of the main branch, newest first; without them a precedent of the same revision alone is certain.
  explicit Precedents(std::vector<std::string> revisions = {}) : revisions_(std::move(revisions)) {}

  /// Takes no precedent of a changed build: its revision says nothing.
  void add(Precedent precedent) { known_.push_back(std::move(precedent)); }

  /// Returns why the result is refused, a line each: it lacks benchmarks, limits or telemetry that its revision has, it
  /// lacks most of a family by whatever revision, or it is faster than a precedent's limit on the same model lets its
  /// work be.
  std::vector<std::string> refusals(const record::ResultSet& results) const;

  /// Returns what may be honest or not: benchmarks that another revision has, "lacks 11 benchmarks that old.json has,
  /// by another revision, which may have others: ...", and benchmarks that say why they were not measured and are
  /// measured on the same model elsewhere.
  std::vector<std::string> doubts(const record::ResultSet& results) const;

 private:
  std::vector<std::string> revisions_;
  std::vector<Precedent> known_;
};

}  // namespace cupel::submit
