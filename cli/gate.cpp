// `cupel gate`: does the new side make something slower?
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/gate_common.hpp"
#include "cli/print.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/gate/gate.hpp"
#include "cupel/gate/stages.hpp"
#include "cupel/host/host_info.hpp"
#include "cupel/host/interrupt.hpp"
#include "cupel/host/private_paths.hpp"
#include "cupel/record/json.hpp"
#include "cupel/report/gate/gate.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/units/clock.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::cli {
namespace {

using report::GateFormat;
using units::Clock;

struct GateFlags {
  std::vector<std::string> base, contender, outputs;
  std::optional<std::string> baseline, policy, renames, calibration, budget, keep;
  std::optional<double> max_inconclusive, tolerance_percent, target_percent;
  std::optional<int> processes;
  GateFormat format = GateFormat::text;
  bool rerun = false, all = false, quiet = false;
  GateRunFlags run;
};

struct Output {
  GateFormat format;
  std::string path;
};

std::vector<Output> outputs_of(const GateFlags& flags) {
  constexpr auto kNames = names_of(GateFormat());
  std::vector<Output> outputs{{flags.format, "-"}};
  for (const std::string& text : flags.outputs) {
    const std::size_t equals = text.find('=');
    const auto name = std::ranges::find(kNames, text.substr(0, equals));
    if (equals == std::string::npos || name == kNames.end() || equals + 1 == text.size()) {
      throw UsageError(fmt::format("--output {}: must be FORMAT=FILE, FORMAT one of {}; cupel gate --help says more",
                                   text, units::joined(kNames)));
    }
    if (equals + 1 < text.size() && text.substr(equals + 1) != "-") {
      const std::filesystem::path file = text.substr(equals + 1);
      if (!std::filesystem::exists(file) && file.has_parent_path()) runner::check_folder(file.parent_path(), 1 << 20);
      require_no_result(file);
      files::try_to_write(file);
    }
    outputs.push_back({static_cast<GateFormat>(name - kNames.begin()), text.substr(equals + 1)});
  }
  const char* actions = std::getenv("GITHUB_ACTIONS");
  const bool asked =
      std::ranges::any_of(outputs, [](const Output& output) { return output.format == GateFormat::annotations; });
  if (actions != nullptr && std::string(actions) == "true" && !asked) outputs.push_back({GateFormat::annotations, "-"});
  return outputs;
}

gate::GatePolicy policy_of(const GateFlags& flags) {
  gate::GatePolicy policy;
  if (flags.policy) policy = gate::policy_from_json(files::read_file(*flags.policy), *flags.policy);
  if (flags.max_inconclusive) policy.max_inconclusive = *flags.max_inconclusive / 100;
  if (flags.tolerance_percent) policy.rules.tolerance = *flags.tolerance_percent / 100;
  if (flags.target_percent) policy.rules.target = *flags.target_percent / 100;
  if (flags.processes) policy.screen_processes = *flags.processes;
  require_room_for_same(policy.rules.tolerance, policy.rules.target);
  for (const gate::Override& one : policy.overrides) {
    require_room_for_same(one.tolerance.value_or(policy.rules.tolerance), one.target.value_or(policy.rules.target),
                          " for '" + one.benchmark.text() + "'");
  }
  return policy;
}

void check_usage(const GateFlags& flags) {
  if (flags.contender.empty())
    throw UsageError(
        "name the new side: --new EXE..., with --baseline also a result file; cupel gate --help says more");
  if (flags.base.empty() == !flags.baseline.has_value()) {
    throw UsageError("name the old side once: --base EXE... or --baseline FILE; cupel gate --help says more");
  }
  if (flags.baseline && flags.rerun) {
    throw UsageError("--rerun-inconclusive needs both sides to be executables: give --base instead of --baseline");
  }
  if (flags.keep) runner::check_folder(*flags.keep, 1 << 20);
  std::vector<std::string> programs = flags.base;
  if (!flags.baseline) programs.insert(programs.end(), flags.contender.begin(), flags.contender.end());
  require_programs(programs, "a result of the old side goes to --baseline");
}

int exit_code(gate::Outcome outcome) {
  switch (outcome) {
    case gate::Outcome::passed:
      return kDone;
    case gate::Outcome::regression:
      return kRegression;
    case gate::Outcome::incomplete:
      return kFailed;
    case gate::Outcome::not_comparable:
      return kNothing;
    case gate::Outcome::undecided:
      break;
  }
  return kUndecided;
}

// One gate from its flags to its exit code.
class Gating {
 public:
  explicit Gating(const GateFlags& flags)
      : flags_(flags),
        outputs_(outputs_of(flags)),
        policy_(policy_of(flags)),
        renames_(read_renames(flags.renames)),
        terminal_(stderr) {
    if (flags.calibration) {
      calibration_ = gate::calibration_from_json(files::read_file(*flags.calibration), *flags.calibration);
      figures::rename_keys(calibration_->benchmarks, renames_);
    }
    if (flags.budget) budget_s_ = units::parse_duration(*flags.budget);
    gate_.emplace(policy_, calibration_ ? &*calibration_ : nullptr, today());
  }

  int run() {
    {
      const host::InterruptCount counted;
      if (flags_.baseline) {
        against_stored();
      } else {
        interleaved();
      }
    }
    return finish();
  }

 private:
  figures::Suite read_chosen(const std::string& file) {
    figures::Suite suite = figures::read_suite(file, renames_);
    names_ = names_of({&suite, 1});
    keep_chosen(suite, flags_.run.filters);
    return suite;
  }

  // A stored result of which the end is lost has lost rows with it.
  void require_whole(const std::string& file, const record::Context& context) {
    const auto cut = context.run.notes.find("file");
    if (context.run.interrupted && cut != context.run.notes.end())
      gate_->add_failure(label_of({file}) + ": " + cut->second);
  }

  void keep(const runner::StageResults& measured, const std::string& stage) {
    if (!flags_.keep) return;
    for (const auto& [side, results] : {std::pair("base", &measured.base), std::pair("new", &measured.contender)}) {
      if (results->rows.empty()) continue;
      record::ResultSet kept = *results;
      kept.context.run.processes = runner::processes_of(*results);  // each process said one
      record::write(kept, std::filesystem::path(*flags_.keep) / fmt::format("{}-{}.json", stage, side));
    }
  }

  // A stage that is asked for again goes on with what it has.
  gate::StageSuites measure(runner::GateRunner& runner, const gate::Wanted& wanted, const std::string& stage) {
    const bool goes_on = stage == stage_;
    runner::StageResults fresh = runner.measure(wanted, goes_on ? stage + " again" : stage);
    for (std::string& how : fresh.bad_endings) gate_->add_failure(std::move(how));
    no_device_ = no_device_ || !fresh.no_device.empty();
    interrupted_ = interrupted_ || fresh.interrupted;
    if (goes_on) {
      runner::append(std::move(fresh), measured_);
    } else {
      measured_ = std::move(fresh);
      stage_ = stage;
    }
    keep(measured_, stage);
    return {measured_suite(measured_.base, label_of(flags_.base)),
            measured_suite(measured_.contender, label_of(flags_.contender)), measured_.interrupted};
  }

  gate::Surroundings surroundings(runner::GateRunner& runner) {
    return {[&](const gate::Wanted& wanted, const std::string& stage) { return measure(runner, wanted, stage); },
            [&](const gate::Wanted& wanted) { return runner.in_whole_processes(wanted); },
            [&](const gate::Wanted& wanted) { return runner.expected_s(wanted); },
            [&] { return units::seconds_since(begin_); }, [&](const std::string& line) { progress_.said(line); }};
  }

  void interleaved() {
    runner::GateRunner runner(paths_of(flags_.base), paths_of(flags_.contender), run_settings(flags_.run, renames_),
                              progress_);
    tell_problems(runner);
    const std::set<std::string> sides[] = {runner.base_names(), runner.contender_names()};
    if (runner.problems().empty()) require_none_idle(renames_, runner.renamed(), sides, flags_.renames);
    const gate::Wanted all = runner.all(policy_.screen_processes);
    if (all.empty()) {
      std::set<std::string> names = runner.base_names();
      names.insert(runner.contender_names().begin(), runner.contender_names().end());
      if (runner.problems().empty())
        nothing_ = no_match(flags_.run.filters, {names.begin(), names.end()}, "either side");
      return;
    }
    const gate::StageSettings settings{all, flags_.rerun, budget_s_};
    const gate::Surroundings around = surroundings(runner);
    tell_time(settings, around);
    gate::run_stages(*gate_, settings, around);
  }

  // Before the first stage.
  void tell_time(const gate::StageSettings& settings, const gate::Surroundings& around) {
    const double screen_s = around.expected_s(settings.all).value_or(0);
    const std::optional<double> most_s = gate::most_s(settings, around);
    if (budget_s_ && screen_s > *budget_s_) {
      progress_.said(
          fmt::format("the screen takes about {}, more than the budget of {}: --filter or --processes bound it",
                      units::format_duration(screen_s), units::format_duration(*budget_s_)));
    } else if (most_s) {
      progress_.said(fmt::format("the screen takes about {}, all stages at most {}{}", units::format_duration(screen_s),
                                 units::format_duration(*most_s), budget_s_ ? ", the budget" : "; --budget bounds it"));
    } else {
      progress_.said(
          fmt::format("the screen takes about {}; what is undecided runs until it is decided: --budget bounds it",
                      units::format_duration(screen_s)));
    }
  }

  // Tells how listing ended, before anything is measured.
  void tell_problems(const runner::GateRunner& runner) {
    interrupted_ = host::interrupts() > 0;
    if (interrupted_) gate_->set_interrupted();
    for (const std::string& problem : runner.problems()) {
      progress_.said(problem);
      gate_->add_failure(host::without_private_paths(problem));
    }
  }

  void against_stored() {
    const figures::Suite base = read_chosen(*flags_.baseline);
    if (base.benchmarks.empty()) {
      nothing_ = flags_.run.filters.empty() ? *flags_.baseline + " has no benchmark"
                                            : no_match(flags_.run.filters, names_, *flags_.baseline);
      return;
    }
    require_whole(*flags_.baseline, base.context);
    if (base.replication == figures::Replication::repetition) {
      gate_->warn("the baseline holds repetitions of one process; processes differ by more: measure it with several");
    }
    if (is_json_file(flags_.contender.front()) || !can_be_run(flags_.contender.front())) {
      if (flags_.contender.size() > 1) throw UsageError("--new: one result file, or executables");
      const figures::Suite suites[] = {base, read_chosen(flags_.contender.front())};
      require_whole(flags_.contender.front(), suites[1].context);
      require_none_idle(renames_, suites, flags_.renames);
      gate_->against_stored(suites[0], suites[1]);
      return;
    }
    const auto [stored, needed] = gate::processes_against(base, policy_.alpha);
    const std::string few = fmt::format("the baseline has {}", units::counted(stored, "process", "processes"));
    if (!needed) {
      gate_->warn(few + ": too few to show a difference by ranks");
      progress_.said(few + ": too few to show a difference by ranks; measure it anew with more (--processes 12)");
    }
    const int processes = std::max(policy_.screen_processes, flags_.processes ? 0 : needed.value_or(0));
    if (processes > policy_.screen_processes) {
      progress_.said(fmt::format("{}: so {} of the new side are measured", few, processes));
    }
    runner::GateRunner runner({}, paths_of(flags_.contender), run_settings(flags_.run, renames_), progress_);
    tell_problems(runner);
    std::set<std::string> renamed = runner.renamed();
    renamed.insert(base.renamed.begin(), base.renamed.end());
    const std::set<std::string> sides[] = {figures::spellings_of(base), runner.contender_names()};
    if (runner.problems().empty()) require_none_idle(renames_, renamed, sides, flags_.renames);
    const gate::StageSuites measured = gate::measure_stage(runner.all(processes), "new", surroundings(runner));
    if (measured.interrupted) gate_->set_interrupted();
    const figures::Suite& contender = measured.contender;
    figures::Suite completed = base;
    host::fill_missing(completed.context.host, contender.context.host);
    gate_->against_stored(completed, contender);
  }

  int code_of(const gate::GateResult& result) const {
    if (interrupted_) return kInterrupted;
    const bool figures = result.slower + result.noisier + result.faster + result.same + result.inconclusive > 0;
    if (no_device_ && !figures) return kNoDevice;
    return exit_code(result.outcome);
  }

  int finish() {
    if (!nothing_.empty()) {
      complain(nothing_);
      return kNothing;
    }
    gate::GateReport report{gate_->result(), label_of(flags_.baseline ? std::vector{*flags_.baseline} : flags_.base),
                            label_of(flags_.contender), kDone};
    report.exit_code = code_of(report.result);
    terminal_.clear();
    for (const Output& output : outputs_) {
      report::GateText how{.all = flags_.all};
      if (output.path == "-") how = {flags_.all, flags_.quiet, terminal_of(output.path)};
      write_text(output.path, report::gate(report, output.format, how));
    }
    return report.exit_code;
  }

  const GateFlags& flags_;
  std::vector<Output> outputs_;
  gate::GatePolicy policy_;
  figures::Renames renames_;
  std::optional<gate::MachineNoise> calibration_;
  std::optional<gate::Gate> gate_;
  runner::TerminalProgress terminal_;
  runner::Observer silent_;
  runner::Observer& progress_ = flags_.quiet ? silent_ : terminal_;
  std::optional<double> budget_s_;
  Clock::time_point begin_ = Clock::now();
  std::vector<std::string> names_;  // of a stored result, before --filter
  std::string stage_;               // that is being measured
  runner::StageResults measured_;   // by it
  std::string nothing_;
  bool interrupted_ = false;
  bool no_device_ = false;
};

void add_flags(Command& command, GateFlags& flags) {
  command.group("The two sides");
  command.add_option("--base EXE...", flags.base, "Executables of the old side: any Google Benchmark programs");
  command.add_option("--new EXE...", flags.contender, "Executables of the new side, or with --baseline a result file");
  command.add_option("--baseline FILE", flags.baseline,
                     "Stored result in place of --base; finds only larger differences, see docs/gate.md");
  command.group("How it is judged");
  command.add_option("--policy FILE", flags.policy,
                     "Tolerances, actions, allowances; docs/schema/gate-policy.schema.json");
  add_renames_flag(command, flags.renames);
  command.add_option("--calibration FILE", flags.calibration, "What cupel calibrate wrote on this machine");
  command.add_option("--processes", flags.processes, "Processes a side in the screen (default 5)")
      ->range(record::kScreenProcessBounds);
  command.add_option("--tolerance", flags.tolerance_percent, "Ignore differences smaller than this (default 1 %)")
      ->percent(kLeastPercent, kMostPercent);
  command.add_option("--target", flags.target_percent, "SAME promises no difference of this size (default 3 %)")
      ->percent(kLeastPercent, kMostPercent);
  command.add_flag(
      "--rerun-inconclusive", flags.rerun,
      "Measure undecided rows again until they are decided; without it only gateable rows are, for at most as long "
      "as the gate took (at least 30 s)");
  command.add_option("--budget TIME", flags.budget,
                     "Time for the whole gate, e.g. 30m; its first stage runs in any case");
  command
      .add_option("--max-inconclusive", flags.max_inconclusive,
                  "Pass with up to so many percent of the rows undecided (default 10 %)")
      ->percent(0, 100);
  command.group("Output");
  using enum GateFormat;
  command.add_word(
      "--format", flags.format, {text, markdown, junit, json, csv, annotations, custom_smaller_is_better, bencher},
      "Printed: text (default), markdown, junit, json, csv, annotations, customSmallerIsBetter or bencher");
  command.add_option("-o,--output FORMAT=FILE", flags.outputs, "A file of that format too; may be given several times")
      ->repeatable();
  command.add_option("--keep FOLDER", flags.keep, "Folder for the measurements of each stage and side");
  command.add_flag("--all", flags.all, "Every row, including those that are the same");
  command.add_flag("-q,--quiet", flags.quiet, "No progress; print the last line only");
  command.group("How it is measured");
  add_gate_run_flags(command, flags.run);
}

int run_gate(const GateFlags& flags) {
  check_usage(flags);
  return Gating(flags).run();
}

}  // namespace

void add_gate(Command& app) {
  Command& command = app.add_subcommand("gate", "Say whether new executables are slower than old ones");
  add_flags(command, command.runs(run_gate));
  command.examples(
      {{"cupel gate --base old/cupel_bench_host --new new/cupel_bench_host", "Measures both sides in turn, and judges"},
       {"cupel gate --baseline main.json --new pull.json", "Judges a stored result by another"}});
  command.exits({{kDone, "passed"},
                 {kRegression, "a regression"},
                 {kNoDevice},
                 {kFailed},
                 {kNothing, "nothing could be compared (hard difference of environment)"},
                 {kUndecided, "too many rows undecided"},
                 {kInterrupted}});
}

}  // namespace cupel::cli
