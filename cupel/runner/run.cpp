#include "cupel/runner/run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "cupel/figures/facts.hpp"
#include "cupel/files/labels.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/host/interrupt.hpp"
#include "cupel/host/private_paths.hpp"
#include "cupel/record/json.hpp"
#include "cupel/runner/attempt.hpp"
#include "cupel/runner/collect.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/runner/restart.hpp"
#include "cupel/runner/schedule.hpp"
#include "cupel/units/clock.hpp"
#include "cupel/units/format.hpp"

namespace cupel::runner {
namespace {

namespace fs = std::filesystem;
using units::Clock;
using units::seconds_since;

constexpr double kReserve = 0.03;  // of a budget: for loading programs, for children that end late, and for the result
constexpr double kSlack = 0.015;   // of a budget
constexpr double kLeastSlack_s = 0.1;

class Runner {
 public:
  Runner(const Plan& plan, const RunRequest& request, Observer& observer)
      : plan_(plan),
        request_(request),
        observer_(observer),
        collection_(plan),
        schedule_(plan),
        started_(utc_compact()),
        processes_(plan.settings.processes) {
    for (const auto& [family, problem] : plan.problems) say(fmt::format("{}: {}", family, problem));
    outcome_.failed = !plan.problems.empty();
    if (request.earlier) collection_.adopt(*request.earlier);
    if (request.shortest_work) collection_.set_shortest_work(*request.shortest_work);
    if (request.output) outcome_.written = *request.output;
  }

  RunOutcome run() {
    for (int process = 0; !over() && has_time_for(process); ++process) {
      for (std::size_t family = 0; family < plan_.families.size() && !over(); ++family) step(family, process);
      if (request_.budget) catch_up(process);
      collection_.set_processes(std::max(plan_.settings.processes, process + 1));
    }
    return end();
  }

 private:
  bool over() const { return outcome_.interrupted || !outcome_.refused.empty(); }

  void say(const std::string& line) { observer_.said(line); }

  // Interleaving makes every round of processes whole: a run that stops between two of them is balanced.
  bool has_time_for(int process) {
    if (!request_.budget || process == 0) return process < processes_;
    const int most = std::max(plan_.most_processes, plan_.settings.processes);
    if (process >= most) return false;
    if (schedule_.knows_all()) processes_ = std::min(most, process + schedule_.more_processes(budget_left_s()));
    if (process < processes_ && budget_left_s() > 0) return true;
    collection_.set_processes(process);
    tell_budget(fmt::format("spent after {} of {} processes", process, most));
    return false;
  }

  void tell_budget(const std::string& what) {
    say(fmt::format("the budget of {}: {}", units::format_duration(request_.budget->seconds), what));
    budget_note_ += (budget_note_.empty() ? "" : "; ") + what;
    collection_.note("--budget", budget_note_);
  }

  double budget_left_s() const {
    return (1 - kReserve) * request_.budget->seconds - seconds_since(request_.budget->since);
  }

  // A family whose share was too short measures what it lacks in what the others have left over.
  void catch_up(int process) {
    for (std::size_t family = 0; family < plan_.families.size() && !over(); ++family) {
      const bool lacks = out_of_time_.erase(plan_.families[family].name) > 0;
      if (lacks && budget_left_s() > kReserve * request_.budget->seconds) step(family, process);
    }
  }

  // The share of the budget for what the family's process has yet to measure.
  double share_s(std::size_t family, int process) const {
    std::vector<double> missing(plan_.families.size(), 0.0);
    for (std::size_t f = family; f < plan_.families.size(); ++f) missing[f] = missing_share(plan_.families[f], process);
    const int more = schedule_.knows_all() ? processes_ - process - 1 : 0;
    return schedule_.share_s(family, budget_left_s(), missing, more);
  }

  double missing_share(const PlannedFamily& family, int process) const {
    if (no_device_.contains(family.name)) return 0;
    const auto missing = static_cast<double>(collection_.missing(family, process).size());
    return missing / static_cast<double>(family.benchmarks.size());
  }

  // From a step that had `share` of the family's benchmarks to measure. A process that came near to the end of its time
  // may have cut its sampling: none is left to cut.
  void learn_need(std::size_t family, int process, double share) {
    constexpr double kNear = 0.9;
    const double wall_s = seconds_since(step_begin_);
    const double sampling_s =
        wall_s < kNear * step_share_s_ ? std::min(wall_s, to_the_wall_s(plan_.families[family], process)) : 0;
    schedule_.learn(family, (1 / share) * units::TimeNeed{wall_s - sampling_s, sampling_s});
  }

  // Seconds that a process sampled for in series that ended at the wall: shorter walls would make it shorter.
  double to_the_wall_s(const PlannedFamily& family, int process) const {
    std::ptrdiff_t series = 0;
    for (const record::Row& row : collection_.results().rows) {
      if (row.family != family.name || row.process != process) continue;
      series += std::ranges::count(row.series, record::Stop::wall, &record::Series::stop);
    }
    return static_cast<double>(series) * plan_.settings.max_wall_s.value_or(family.max_wall_s.value_or(0));
  }

  // Seconds expected of all that has not run yet, in the pace seen so far.
  double left_s(std::size_t family, int process) const {
    double expected = 0;
    for (int p = process; p < processes_; ++p) {
      for (std::size_t f = p == process ? family : 0; f < plan_.families.size(); ++f) {
        expected += pace_of(f) * plan_.families[f].process_s() * missing_share(plan_.families[f], p);
      }
    }
    return request_.budget ? std::min(expected, budget_left_s()) : expected;
  }

  // Time taken by time expected: of the family, or of all that have measured something where it has not run yet.
  double pace_of(std::size_t family) const {
    const Pace& seen = paces_[family].expected_s > 0 ? paces_[family] : pace_of_all_;
    return seen.expected_s > 0 ? std::clamp(seen.taken_s / seen.expected_s, 0.1, 10.0) : 1;
  }

  void learn_pace(std::size_t family, double share, bool measured) {
    const Pace step{seconds_since(step_begin_), share * plan_.families[family].process_s()};
    paces_[family].add(step);
    if (measured) pace_of_all_.add(step);
  }

  void step(std::size_t family_index, int process) {
    const PlannedFamily& family = plan_.families[family_index];
    std::vector<std::string> names = collection_.missing(family, process);
    drop_hopeless(family, process, names);
    if (names.empty()) return;
    const StepInfo info{family.name, process, processes_, names.size()};
    const double left = left_s(family_index, process), missing = missing_share(family, process);
    if (request_.budget) step_share_s_ = share_s(family_index, process);
    observer_.started(info, left);
    step_begin_ = Clock::now();
    step_left_s_ = left;
    run_all(info, family, names);
    if (!outcome_.refused.empty()) return;
    if (request_.budget) learn_need(family_index, process, missing);
    const StepCounts seen = counts(family, process);
    learn_pace(family_index, missing - missing_share(family, process), seen.ok > 0);
    outcome_.failed = outcome_.failed || seen.failed > 0;
    if (process == 0 && seen.skipped == family.benchmarks.size()) skipped_throughout_.insert(family.name);
    write();
    observer_.finished(info, seen);
  }

  // Records benchmarks that cannot run without another try: for lack of a device, for having ended two processes, or
  // where the family's first process was told of every benchmark why this machine cannot run it.
  void drop_hopeless(const PlannedFamily& family, int process, std::vector<std::string>& names) {
    if (const auto reason = no_device_.find(family.name); reason != no_device_.end()) {
      for (const record::ListedBenchmark& benchmark : family.benchmarks) {
        if (benchmark.needs_device) std::erase(names, benchmark.name);
      }
    }
    if (skipped_throughout_.contains(family.name)) {
      for (const std::string& name : names) skip_as_first(family, name, process);
      names.clear();
    }
    for (const std::string& name : std::vector(names)) {
      const std::string why = strikes_.why_not(name);
      if (why.empty()) continue;
      fail(family, process, {name}, why);
      std::erase(names, name);
    }
  }

  void skip_as_first(const PlannedFamily& family, const std::string& name, int process) {
    const std::vector<record::Row>& rows = collection_.results().rows;
    const auto first = std::ranges::find_if(rows, [&](const record::Row& row) {
      return row.family == family.name && row.process == 0 && row.name == name;
    });
    collection_.add_missing(family, name, process, record::Status::skipped, first->reason);
  }

  // Runs the names in as many fresh processes as it takes. On return each has a row, unless the run was interrupted or
  // refused or the time of this step is over.
  void run_all(const StepInfo& info, const PlannedFamily& family, std::vector<std::string> names) {
    Restarting how;
    how.most = request_.max_restarts;
    how.start = [&](const std::vector<std::string>& left) { return start_once(info, family, left); };
    how.fail = [&](const std::vector<std::string>& all, const std::string& reason) {
      fail(family, info.process, all, reason);
    };
    how.again = [&](std::size_t left) {
      say(fmt::format("{}, process {}: what is left ({}) runs in a fresh process", family.name, info.process + 1,
                      left));
    };
    restart_until_done(std::move(names), strikes_, how);
  }

  StartEnd start_once(const StepInfo& info, const PlannedFamily& family, std::vector<std::string> names) {
    StartEnd end{.kind = StartEnd::Kind::over};
    if (request_.budget && step_time_left_s() <= 0) {
      note_out_of_time(family);
      return end;
    }
    if (const std::string why = other_executable(family); !why.empty()) {
      if (request_.earlier) outcome_.refused = why;
      if (!request_.earlier) fail(family, info.process, names, why);
      return end;
    }
    const Attempt result = start(info, family, names);
    if (!outcome_.refused.empty()) return end;
    keep(result, family, info.process, names);
    if (names.empty()) note_bad_ending(result, family, info.process);
    if (result.child.ending == host::Ending::interrupted || host::interrupts() > 0) {
      outcome_.interrupted = true;
    } else if (result.out_of_time) {
      note_out_of_time(family);
    } else if (host::exited_with(result.child, record::kChildNoDevice)) {
      note_no_device(result, family, info.process, names);
    } else {
      const StartEnd::Kind kind = result.complete() ? StartEnd::Kind::well : StartEnd::Kind::badly;
      return {kind, std::move(names), result.journal.running, true, result.reason()};
    }
    return end;
  }

  // Why rows of the family's executable as it is now must not stand beside those that are there; empty where they may.
  std::string other_executable(const PlannedFamily& family) {
    std::error_code none;
    const fs::file_time_type written = fs::last_write_time(family.executable, none);
    Executable& seen = executables_[family.name];
    if (seen.written != written) {
      const std::string mark = executable_mark(family.executable, family.name);
      seen = {written, mark.empty() || collection_.is_executable(family.name, mark)};
    }
    if (seen.is_as_begun) return "";
    return fmt::format("the executable of {} is another than the one that the run was begun with", family.name);
  }

  double step_time_left_s() const { return step_share_s_ - seconds_since(step_begin_); }

  void note_out_of_time(const PlannedFamily& family) { out_of_time_.insert(family.name); }

  Attempt start(const StepInfo& info, const PlannedFamily& family, const std::vector<std::string>& names) {
    bool known = false;
    AttemptRequest request{family, info.process, names, plan_.settings, scratch_.path()};
    if (request_.budget) {
      request.share = {step_time_left_s(), std::max(kLeastSlack_s, kSlack * request_.budget->seconds)};
    }
    request.said = [&](const std::string& line) { say(family.name + ": " + line); };
    Attempt result = attempt(request, [&](const fs::path& journal, const std::string& running) {
      observer_.going(info, running, std::max(0.0, step_left_s_ - seconds_since(step_begin_)));
      if (!known) known = look_early(journal, family);
      return outcome_.refused.empty();
    });
    if (!known && result.journal.context) look_at(*result.journal.context, family);
    return result;
  }

  // As soon as the child has said where it is: tells of it what must be told, and refuses to go on in another
  // environment.
  void look_at(const record::Context& here, const PlannedFamily& family) {
    if (request_.earlier) outcome_.refused = figures::other_run(request_.earlier->context, here, family.needs_device());
    const auto first = here.run.notes.find(record::kFirstOfSeveral);
    if (!here.run.unoptimised.empty() && told_unoptimised_.insert(family.name).second) {
      say(fmt::format("{}: its code is compiled without optimisation, and its host times are too long", family.name));
    }
    if (first == here.run.notes.end() || told_device_) return;
    told_device_ = true;
    say(fmt::format("measuring {}; --device chooses", first->second));
    collection_.note(first->first, first->second);
  }

  // True when the child has said where it is.
  bool look_early(const fs::path& journal, const PlannedFamily& family) {
    try {
      const std::optional<record::Context> here = record::read_journal(journal).context;
      if (here) look_at(*here, family);
      return here.has_value();
    } catch (const files::ReadError&) {
      return false;  // reported when the child has ended
    }
  }

  // names: becomes those that have no row.
  void keep(const Attempt& result, const PlannedFamily& family, int process, std::vector<std::string>& names) {
    if (result.journal.context) collection_.add(*result.journal.context);
    collection_.add(family, process, result.journal.rows);
    names = collection_.missing(family, process);
    if (no_device_.count(family.name) > 0) drop_hopeless(family, process, names);
    for (const record::Row& row : result.journal.rows) {
      if (row.status == record::Status::failed) say(fmt::format("{}: failed: {}", row.name, row.reason));
    }
  }

  // Its rows are whole, and say what came after them.
  void note_bad_ending(const Attempt& result, const PlannedFamily& family, int process) {
    const std::string how = result.bad_ending();
    if (how.empty() || result.out_of_time) return;
    outcome_.failed = true;
    collection_.add_note(family, process, result.journal.rows, "its process was " + host::without_private_paths(how));
    bad_endings_ +=
        fmt::format("{}{}, process {}: {}", bad_endings_.empty() ? "" : "; ", family.name, process + 1, how);
    collection_.note(record::kEndedBadly, bad_endings_);
    say(fmt::format("{}, process {}: failed: {}", family.name, process + 1, how));
  }

  void note_no_device(const Attempt& result, const PlannedFamily& family, int process,
                      const std::vector<std::string>& names) {
    std::string reason = host::last_line(result.child.error_text);
    for (const record::Row& row : result.journal.rows) {
      if (row.status == record::Status::skipped && !row.reason.empty()) {
        reason = row.reason;
        break;
      }
    }
    if (reason.empty()) reason = "no usable device";
    for (const std::string& name : names) {
      collection_.add_missing(family, name, process, record::Status::skipped, reason);
    }
    no_device_[family.name] = reason;
    outcome_.no_device.push_back(family.name);
    collection_.note(family.name, reason);
  }

  void fail(const PlannedFamily& family, int process, const std::vector<std::string>& names,
            const std::string& reason) {
    for (const std::string& name : names) {
      collection_.add_missing(family, name, process, record::Status::failed, reason);
    }
    if (names.size() == 1) return say(fmt::format("{}: failed: {}", names.front(), reason));
    say(fmt::format("{}, process {}: failed ({}): {}", family.name, process + 1, names.size(), reason));
  }

  StepCounts counts(const PlannedFamily& family, int process) const {
    StepCounts counts;
    for (const record::Row& row : collection_.results().rows) {
      if (row.family == family.name && row.process == process) counts.add(row);
    }
    return counts;
  }

  // A disk that is full now may not be later: what was measured is kept in memory and tried again.
  void write() {
    if (collection_.results().rows.empty()) return;
    collection_.apply_floor();
    collection_.sort();
    try {
      if (outcome_.written.empty()) {
        outcome_.written = write_under_free_name(collection_.results(), request_.folder, started_);
        lock_.emplace(outcome_.written);
      } else {
        record::write(collection_.results(), outcome_.written);
      }
      outcome_.write_problem.clear();
      wrote_ = true;
    } catch (const std::exception& error) {
      if (outcome_.write_problem.empty()) say(fmt::format("{}; measuring goes on", error.what()));
      outcome_.write_problem = error.what();
    }
  }

  void write_elsewhere() {
    try {
      outcome_.written = write_under_free_name(collection_.results(), fs::temp_directory_path(), started_);
    } catch (const std::exception& error) {
      outcome_.write_problem += fmt::format("; nor elsewhere: {}", error.what());
      if (wrote_) {
        outcome_.write_problem += fmt::format(
            "; what was measured before is in {}: make room, then cupel run --resume {}", outcome_.written.string(),
            files::arguments_text({outcome_.written.string()}));
      }
      outcome_.written.clear();
    }
  }

  // Tells which benchmarks the budget left without a row, or with one that is cut short.
  void tell_what_is_lacking() {
    std::set<std::string> measured;
    for (const record::Row& row : collection_.results().rows) measured.insert(row.name);
    for (const PlannedFamily& family : plan_.families) {
      for (const record::ListedBenchmark& benchmark : family.benchmarks) {
        outcome_.without_time += measured.contains(benchmark.name) ? 0 : 1;
      }
    }
    const auto cut = std::ranges::count(collection_.results().rows, true, &record::Row::cut_short);
    if (outcome_.without_time > 0)
      tell_budget(fmt::format("no time for {} of {} benchmarks", outcome_.without_time, plan_.benchmarks()));
    if (cut > 0) tell_budget(fmt::format("{} of {} rows cut short", cut, collection_.results().rows.size()));
  }

  RunOutcome end() {
    if (!outcome_.refused.empty()) return std::move(outcome_);
    outcome_.interrupted = outcome_.interrupted || host::interrupts() > 0;
    if (request_.budget && !outcome_.interrupted) tell_what_is_lacking();
    for (const record::Row& row : collection_.results().rows) {
      outcome_.failed = outcome_.failed || row.status == record::Status::failed;
    }
    collection_.finish(outcome_.interrupted);
    write();
    if (!outcome_.write_problem.empty()) write_elsewhere();
    if (collection_.results().rows.empty()) outcome_.written.clear();
    outcome_.results = collection_.results();
    return std::move(outcome_);
  }

  struct Executable {
    std::optional<fs::file_time_type> written = std::nullopt;
    bool is_as_begun = true;
  };

  struct Pace {
    double taken_s = 0, expected_s = 0;

    void add(const Pace& other) {
      taken_s += other.taken_s;
      expected_s += other.expected_s;
    }
  };

  const Plan& plan_;
  const RunRequest& request_;
  Observer& observer_;
  Collection collection_;
  Schedule schedule_;
  ScratchFolder scratch_;
  std::string started_;
  RunOutcome outcome_;
  std::optional<files::FileLock> lock_;  // of a name that was chosen here
  bool wrote_ = false;                   // at least once, in outcome_.written
  bool told_device_ = false;
  std::set<std::string> told_unoptimised_;
  Strikes strikes_;
  std::map<std::string, std::string> no_device_;
  std::set<std::string> skipped_throughout_;  // families of which the first process of this run could measure nothing
  std::map<std::string, Executable> executables_;  // as they were looked at last
  std::set<std::string> out_of_time_;              // families whose share of the budget was too short, in this process
  std::string budget_note_, bad_endings_;
  Clock::time_point step_begin_ = Clock::now();
  double step_left_s_ = 0;
  double step_share_s_ = 0;                         // of the budget
  int processes_;                                   // of each family, as far as is known by now
  std::vector<Pace> paces_{plan_.families.size()};  // of each family
  Pace pace_of_all_;
};

}  // namespace

RunOutcome run(const Plan& plan, const RunRequest& request, Observer& observer) {
  return Runner(plan, request, observer).run();
}

int run_for_profiler(const Plan& plan) {
  const ScratchFolder scratch;
  int worst = 0;
  for (const PlannedFamily& family : plan.families) {
    std::vector<std::string> names, arguments = child_flags(plan.settings);
    for (const record::ListedBenchmark& benchmark : family.benchmarks) names.push_back(benchmark.name);
    arguments.insert(arguments.end(), {"--cupel_once", only_these(names, scratch.path())});
    const host::ChildResult child =
        host::run_child({.program = family.executable, .arguments = arguments, .inherit = true});
    if (child.ending == host::Ending::interrupted) return 130;
    const int code = child.ending == host::Ending::exited ? child.code : record::kChildFailed;
    if (worst == 0) worst = code;
  }
  return worst;
}

}  // namespace cupel::runner
