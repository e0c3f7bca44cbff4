// `cupel calibrate`: what this machine can tell apart, from executables run against themselves.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/gate_common.hpp"
#include "cli/print.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/gate/gate.hpp"
#include "cupel/host/interrupt.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::cli {
namespace {

constexpr int kGroup = 5;  // processes of a side in one screen

struct CalibrateFlags {
  std::vector<std::string> executables;
  std::string output = "calibration.json";
  double target_percent = 3;
  int runs = 2;
  bool add = false, force = false, quiet = false;
  GateRunFlags run;
};

std::string percent(const std::optional<double>& share) {
  return share ? units::format_percent(*share) : std::string("unknown");
}

// Names the benchmarks to show: where a screen has no room for all, the ones that repeat worst.
std::vector<std::string> noisiest(const gate::MachineNoise& calibration) {
  constexpr std::size_t kMostRows = 40;
  std::vector<std::string> names;
  for (const auto& [name, benchmark] : calibration.benchmarks) names.push_back(name);
  if (names.size() <= kMostRows) return names;
  std::ranges::stable_sort(names, std::ranges::greater{}, [&](const std::string& name) {
    return calibration.benchmarks.at(name).sigma().value_or(std::numeric_limits<double>::infinity());
  });
  names.resize(kMostRows);
  return names;
}

void print_calibration(const gate::MachineNoise& calibration, double target) {
  using report::left, report::right;
  report::Table table({right("noise"), right("would find"), right("gateable at"), right("processes"),
                       left("benchmark", report::Fold::above)});
  for (const std::string& name : noisiest(calibration)) {
    const gate::CalibratedBenchmark& benchmark = calibration.benchmarks.at(name);
    table.row({percent(benchmark.sigma()), percent(benchmark.mde()), percent(benchmark.gateable_at()),
               std::to_string(benchmark.processes()), units::shorten(units::visible(name))});
  }
  if (const std::size_t more = calibration.benchmarks.size() - table.lines.size(); more > 0)
    table.notes.push_back(fmt::format("{} that repeat better: in the file.",
                                      units::counted(static_cast<std::int64_t>(more), "benchmark")));
  const auto gateable = std::ranges::count_if(calibration.benchmarks, [&](const auto& one) {
    const std::optional<double> sigma = one.second.sigma();
    return sigma && stats::gateable(*sigma, std::log1p(target));
  });
  print(fmt::format("{}\n{} of {} gateable at {}\n", report::as_text(table, {output_columns()}), gateable,
                    units::counted(std::ssize(calibration.benchmarks), "benchmark is", "benchmarks are"),
                    units::format_percent(target)));
}

void say_left_out(const figures::Suite& a, const figures::Suite& b) {
  const std::map<std::string, int> lost = gate::left_out(a, b);
  if (lost.empty()) return;
  const auto most =
      std::ranges::max_element(lost, [](const auto& one, const auto& other) { return one.second < other.second; });
  complain(fmt::format(
      "of {} processes were left out, because they were throttled or waited for a CPU: up to {} of a side, "
      "of {}",
      units::counted(std::ssize(lost), "benchmark"), most->second, units::shorten(units::visible(most->first))));
}

int calibrate(const CalibrateFlags& flags) {
  require_programs(flags.executables, "name the executables to calibrate, which are run anew");
  const bool is_printed = flags.output == "-";
  if (is_printed && flags.add) throw UsageError("--add is to a file, which --output - is not");
  std::optional<files::FileLock> lock;
  if (!is_printed) {
    runner::check_output(flags.output, true, 1 << 20);
    require_no_result(flags.output);
    lock.emplace(flags.output);
  }
  gate::MachineNoise calibration;
  const bool exists = !is_printed && std::filesystem::exists(flags.output);
  if (flags.add && exists) calibration = gate::calibration_from_json(files::read_file(flags.output), flags.output);
  if (exists && !flags.add && !flags.force) {
    throw UsageError(flags.output + " exists; add a session to it with --add, or replace it with --force");
  }
  std::optional<host::InterruptCount> counted(std::in_place);
  runner::TerminalProgress terminal(stderr);
  runner::Observer silent;
  runner::Observer& progress = flags.quiet ? silent : terminal;
  const std::vector<std::filesystem::path> programs = paths_of(flags.executables);
  runner::GateRunner runner(programs, programs, run_settings(flags.run), progress);
  if (const std::vector<std::string> problems = runner.problems(); !problems.empty()) {
    complain(problems.front());
    return kFailed;
  }
  const runner::GateWanted all = runner.all(kGroup * flags.runs);
  if (all.empty()) {
    complain(no_match(flags.run.filters, {runner.base_names().begin(), runner.base_names().end()}));
    return kNothing;
  }
  runner::StageResults measured = runner.measure(all, "calibrate", kGroup);
  counted.reset();
  if (measured.interrupted) {
    complain("interrupted; nothing was written");
    return kInterrupted;
  }
  const figures::Suite a = measured_suite(std::move(measured.base), "a");
  const figures::Suite b = measured_suite(std::move(measured.contender), "b");
  if (flags.add) {
    for (const std::string& line : differences(calibration, a.context)) {
      complain(fmt::format("{} is of another machine or setting: {}", flags.output, line));
      return kNothing;
    }
  }
  add_session(calibration, a, b, kGroup);
  if (calibration.benchmarks.empty()) {
    complain(fmt::format("nothing was measured{}{}", measured.no_device.empty() ? "" : ": ", measured.no_device));
    return measured.no_device.empty() ? kFailed : kNoDevice;
  }
  say_left_out(a, b);
  calibration.made = runner::utc_iso();
  write_text(flags.output, to_json(calibration));
  if (is_printed) return kDone;
  if (!flags.quiet) print_calibration(calibration, flags.target_percent / 100);
  print(fmt::format("{}\n", flags.output));
  return kDone;
}

}  // namespace

void add_calibrate(Command& app) {
  Command& command = app.add_subcommand(
      "calibrate", "Measure how small a difference a gate can find, by gating executables against themselves");
  CalibrateFlags& flags = command.runs(calibrate);
  command.add_option("executables EXE...", flags.executables, "Any Google Benchmark programs")->required();
  command.group("Calibration");
  command.add_option("-o,--output FILE", flags.output, "Calibration file (default calibration.json); - prints it");
  command.add_flag("--add", flags.add, "Add to the file: another session, for gates against a stored baseline");
  command.add_flag("-f,--force", flags.force, "Replace the file if it exists");
  command.add_flag("-q,--quiet", flags.quiet, "No progress and no table: print the name of the file");
  command.add_option("--runs", flags.runs, "Comparisons of 5 + 5 processes (default 2)")->range(1, 1000);
  command.add_option("--target", flags.target_percent, "Count what is gateable at this size (default 3 %)")
      ->percent(kLeastPercent, kMostPercent);
  command.group("How it is measured");
  add_gate_run_flags(command, flags.run);
  command.examples(
      {{"cupel calibrate build/bench/cupel_bench_host", "Measures what a gate can find here, into calibration.json"},
       {"cupel calibrate build/bench/cupel_bench_host --add", "Adds another session to that file"}});
  command.exits(
      {{kNoDevice}, {kFailed}, {kNothing, "nothing matches, or the file is of another machine"}, {kInterrupted}});
}

}  // namespace cupel::cli
