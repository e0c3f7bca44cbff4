#include "cupel/runner/collect.hpp"

#include <algorithm>
#include <iterator>

#include "cupel/host/private_paths.hpp"
#include "cupel/host/scheduler.hpp"
#include "cupel/record/floor.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::runner {
namespace {

const record::ListedBenchmark* listed(const PlannedFamily& family, const std::string& name) {
  const auto found = std::ranges::find(family.benchmarks, name, &record::ListedBenchmark::name);
  return found == family.benchmarks.end() ? nullptr : &*found;
}

void merge_libraries(std::vector<record::Library>& into, const std::vector<record::Library>& more) {
  for (const record::Library& library : more) {
    const auto known = std::ranges::find_if(into, [&](const auto& l) { return l.name == library.name; });
    if (known == into.end()) {
      into.push_back(library);
      continue;
    }
    if (known->compiled.empty()) known->compiled = library.compiled;
    if (known->loaded.empty()) known->loaded = library.loaded;
    if (known->file.empty()) known->file = library.file;
  }
}

}  // namespace

Collection::Collection(const Plan& plan) : plan_(plan) {
  record::RunInfo& run = results_.context.run;
  run.started = utc_iso();
  host::read_scheduler(run);
  run.profile = plan.settings.profile;
  run.seed = plan.settings.seed;
  run.processes = plan.settings.processes;
  run.timer = plan.settings.timer;
  run.filters = plan.selection.filters;
  for (const PlannedFamily& family : plan.families) run.families.push_back(family.name);
  for (const auto& [flag, value] : notes(plan.settings)) note(flag, value);
  for (const std::string& id : plan.selection.advice) {
    std::string& ids = run.notes["--advice"];
    ids += ids.empty() ? id : "," + id;
  }
  for (const auto& [family, problem] : plan.problems) note(family, problem);
}

void Collection::adopt(record::ResultSet earlier) {
  for (const record::Row& row : earlier.rows) {
    if (!row.cut_short) present_.emplace(row.name, row.process);
  }
  record::RunInfo run = results_.context.run;
  run.started = earlier.context.run.started;
  run.rounds = earlier.context.run.rounds;
  run.executables = earlier.context.run.executables;
  run.unoptimised = earlier.context.run.unoptimised;
  if (run.node.empty()) run.node = earlier.context.run.node;
  if (run.job.empty()) run.job = earlier.context.run.job;
  run.restarts = std::max(run.restarts, earlier.context.run.restarts + 1);
  results_ = std::move(earlier);
  results_.context.run = std::move(run);
  has_context_ = true;
}

void Collection::add(const PlannedFamily& family, int process, std::vector<record::Row> rows) {
  for (record::Row& row : rows) {
    if (listed(family, row.name) == nullptr || present_.contains({row.name, process})) continue;
    row.family = family.name;
    row.process = process;
    row.reason = host::without_private_paths(row.reason);
    row.note = host::without_private_paths(row.note);
    replace_or_add(std::move(row));
  }
}

void Collection::replace_or_add(record::Row row) {
  if (!row.cut_short) present_.emplace(row.name, row.process);
  const auto same = [&](const record::Row& other) { return other.name == row.name && other.process == row.process; };
  const auto there = std::ranges::find_if(results_.rows, same);
  if (there == results_.rows.end()) {
    results_.rows.push_back(std::move(row));
  } else {
    *there = std::move(row);
  }
}

void Collection::add(const record::Context& context) {
  record::Context& mine = results_.context;
  for (const std::string& family : context.run.unoptimised) units::add_once(mine.run.unoptimised, family);
  if (!has_context_) {
    record::RunInfo run = std::move(mine.run);
    mine = context;
    mine.run = std::move(run);
    mine.run.rounds = context.run.rounds;
    has_context_ = true;
    return;
  }
  if (!mine.device) mine.device = context.device;
  if (!mine.calibration) {
    mine.calibration = context.calibration;
  } else if (context.calibration) {
    std::ranges::copy(context.calibration->event_pairs, std::back_inserter(mine.calibration->event_pairs));
  }
  if (mine.build.cuda_compiler.empty()) mine.build.cuda_compiler = context.build.cuda_compiler;
  if (mine.build.cuda_architectures.empty()) mine.build.cuda_architectures = context.build.cuda_architectures;
  merge_libraries(mine.libraries, context.libraries);
}

void Collection::add_missing(const PlannedFamily& family, const std::string& name, int process, record::Status status,
                             const std::string& reason) {
  const record::ListedBenchmark* benchmark = listed(family, name);
  if (benchmark == nullptr) return;
  record::Row row;
  row.name = name;
  row.params = benchmark->params;
  row.advice = benchmark->advice;
  row.status = status;
  row.reason = reason;
  add(family, process, {row});
}

void Collection::add_note(const PlannedFamily& family, int process, const std::vector<record::Row>& rows,
                          const std::string& text) {
  std::set<std::string> names;
  for (const record::Row& row : rows) names.insert(row.name);
  for (record::Row& row : results_.rows) {
    if (row.family == family.name && row.process == process && names.contains(row.name)) record::add_note(row, text);
  }
}

std::vector<std::string> Collection::missing(const PlannedFamily& family, int process) const {
  std::vector<std::string> names;
  for (const record::ListedBenchmark& benchmark : family.benchmarks) {
    if (present_.count({benchmark.name, process}) == 0) names.push_back(benchmark.name);
  }
  return names;
}

bool Collection::is_executable(const std::string& family, const std::string& mark) {
  return results_.context.run.executables.emplace(family, mark).first->second == mark;
}

void Collection::note(const std::string& key, const std::string& text) {
  results_.context.run.notes[key] = host::without_private_paths(text);
}

Lack Collection::lack(const PlannedFamily& family) const {
  Lack lack;
  std::set<std::string> names;
  for (int process = 0; process < plan_.settings.processes; ++process) {
    const std::vector<std::string> missing = this->missing(family, process);
    if (missing.empty()) continue;
    ++lack.processes;
    const double share = static_cast<double>(missing.size()) / static_cast<double>(family.benchmarks.size());
    lack.expected_s += family.process_s() * share;
    names.insert(missing.begin(), missing.end());
  }
  lack.benchmarks = names.size();
  return lack;
}

void Collection::apply_floor() {
  std::optional<record::Calibration>& calibration = results_.context.calibration;
  if (calibration && shortest_work_) record::set_shortest_work(*calibration, *shortest_work_);
  record::apply_floor(results_);
}

void Collection::finish(bool interrupted) {
  results_.context.run.finished = utc_iso();
  results_.context.run.interrupted = interrupted;
}

std::pair<std::size_t, std::size_t> Collection::place(const record::Row& row) const {
  const std::vector<PlannedFamily>& families = plan_.families;
  const auto family = std::ranges::find(families, row.family, &PlannedFamily::name);
  if (family == families.end()) return {families.size(), 0};
  const record::ListedBenchmark* benchmark = listed(*family, row.name);
  const auto position =
      benchmark == nullptr ? family->benchmarks.size() : static_cast<std::size_t>(benchmark - &family->benchmarks[0]);
  return {static_cast<std::size_t>(family - families.begin()), position};
}

void Collection::sort() {
  struct Key {
    std::pair<std::size_t, std::size_t> place;
    int process;
    std::size_t position;
    auto operator<=>(const Key&) const = default;
  };
  std::vector<Key> keys;
  for (std::size_t i = 0; i < results_.rows.size(); ++i) {
    keys.push_back({place(results_.rows[i]), results_.rows[i].process, i});
  }
  std::sort(keys.begin(), keys.end());
  std::vector<record::Row> ordered;
  ordered.reserve(keys.size());
  for (const Key& key : keys) ordered.push_back(std::move(results_.rows[key.position]));
  results_.rows = std::move(ordered);
}

}  // namespace cupel::runner
