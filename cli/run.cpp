// `cupel run`: measures, keeps what it measured, shows it.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "cli/bands_folder.hpp"
#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/index_page.hpp"
#include "cli/print.hpp"
#include "cli/step_choice.hpp"
#include "cli/user_data.hpp"
#include "cupel/figures/causes.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/labels.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/host/interrupt.hpp"
#include "cupel/record/json.hpp"
#include "cupel/report/advise/advise.hpp"
#include "cupel/report/html/report.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/report/show/show.hpp"
#include "cupel/runner/collect.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/runner/resume.hpp"
#include "cupel/runner/run.hpp"
#include "cupel/runner/shortest_work.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::cli {
namespace {

constexpr const char* kPyTorch = "pytorch";

struct RunFlags {
  Choice choice;
  runner::Asked asked;
  std::optional<std::string> budget, max_wall, timeout, output, resume, libraries, data, bands, step;
  bool dry_run = false, force = false, quiet = false, profiler = false;
  bool printed = false;  // the result itself, which then has a file while it grows
};

void add_flags(Command& command, RunFlags& flags) {
  runner::Settings& settings = flags.asked.settings;
  command.group("Which benchmarks");
  add_choice(command, flags.choice);
  add_device_flag(command, settings.device);
  command.add_option("--step FILE", flags.step,
                     "Only what cupel advise --step needs of this profile of a training step; within 90 s, unless "
                     "--budget is given");
  command.group("How much is measured");
  command
      .add_option("--processes", flags.asked.processes,
                  "Start each executable so many times; intervals are over these processes (default: 3, 5 or 7, by the "
                  "profile)")
      ->range(record::kProcessBounds);
  command.add_option("--budget TIME", flags.budget,
                     "Finish in this time, e.g. 5m: cupel samples less, then starts fewer processes");
  command
      .add_option("--noise-goal", settings.noise_goal,
                  "Stop a benchmark at this relative half-width of its interval (default: 0.005 or 0.0025, by the "
                  "profile)")
      ->range(record::kNoiseGoalBounds);
  command.add_option("--max-wall TIME", flags.max_wall, "Stop sampling a benchmark after this time, e.g. 0.5s");
  command
      .add_option("--rounds", settings.rounds,
                  "Shuffled passes over which samples are spread (default: 1 or 3, by the profile)")
      ->range(record::kRoundBounds);
  command.add_option("--timeout TIME", flags.timeout,
                     "End an executable that runs longer (default: from its expected time)");
  command.group("How it is measured");
  command.add_option("--seed", flags.asked.seed, "Seed of the inputs and of the order (default 1)")->not_negative();
  command
      .add_option("--timer", flags.asked.timer, "events (default), or cupti: the driver's own timestamps, as referee")
      ->one_of({"events", "cupti"});
  command.add_flag("--profile", flags.profiler, "Run each benchmark once and untimed, for Nsight or ncu");
  command.add_option(
      "--libraries FOLDER", flags.libraries,
      "Measure with the libraries there (libcublas.so.13, ...), or in a Python environment's site-packages");
  command.add_flag("--allow-managed", settings.allow_managed, "Measure managed memory too");
  command.add_flag("--allow-multicast", settings.allow_multicast,
                   "Let NCCL use NVLink multicast, whose faults take GPUs out of service (collective)");
  command.add_flag(
      "--sustained", settings.sustained,
      "Time device work back to back once power and clock are steady, instead of bursts on a rested clock");
  command.add_flag("--zeros", settings.zeros,
                   "Multiply zeros instead of random numbers (gemm), to see what the numbers cost");
  command.group("Data of the pipeline");
  command.add_option("--data DIR", flags.data,
                     "Your own images (*.jpg, *.jpeg) or CIFAR-10 files (*.bin), not data made from a seed (pipeline)");
  command.add_option("--data-bytes", settings.data_bytes, "Bytes of the data set that is made (default 16 MiB)")
      ->range(record::kDataByteBounds);
  command.add_flag("--clean-data", settings.clean_data, "Remove the data that were made on disk, at the end");
  command.group("PyTorch");
  command.add_option("--python FILE", settings.python,
                     "The interpreter that has PyTorch (default: CUPEL_PYTHON, an active environment, python3)");
  command.add_option(
      "--model FILE.py:FUNCTION", settings.model,
      "Measure a model of yours (pytorch): a function that returns model, optimizer, loss and a batch or a "
      "loader; it runs the code in FILE");
  command.group("Result");
  command.add_option("-o,--output FILE", flags.output,
                     "Result file (default <UTC time>-<gpu or host>.json in results/runs of a checkout, else in "
                     "~/.local/share/cupel/runs); - prints it, and no tables");
  command.add_flag("-f,--force", flags.force, "Replace the result file if it exists");
  command.add_option("--resume FILE", flags.resume,
                     "Continue an interrupted run: measure what its file lacks, all of it where there is no file yet");
  command.add_flag("--dry-run", flags.dry_run, "Print the plan, its time and memory, and measure nothing");
  command.add_flag("-q,--quiet", flags.quiet, "No progress and no tables: print the names of the files written");
  add_bands_flag(command, flags.bands);
}

std::optional<double> duration(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return units::parse_duration(*text);
}

// Whether the function is in the file is seen when it is called.
void require_function_of_a_file(const std::string& model) {
  const std::size_t colon = model.rfind(':');
  const std::string file = model.substr(0, colon), function = colon == model.npos ? "" : model.substr(colon + 1);
  if (!std::filesystem::is_regular_file(file)) throw UsageError("--model " + model + ": there is no file " + file);
  const auto in_name = [](unsigned char c) { return c >= 0x80 || c == '_' || std::isalnum(c) != 0; };
  if (function.empty() || std::isdigit(static_cast<unsigned char>(function.front())) != 0 ||
      !std::ranges::all_of(function, in_name))
    throw UsageError("--model " + model + ": name a function of the file, as FILE.py:FUNCTION");
}

// Another family has nothing to do with it, and its listing is asked for in another folder than this one.
void of_the_users_model(runner::Asked& asked) {
  std::string& model = *asked.settings.model;
  require_function_of_a_file(model);
  for (const std::string& family : asked.selection.families) {
    if (family != kPyTorch) throw UsageError("--model is measured by the family pytorch, not by " + family);
  }
  asked.selection.families = {kPyTorch};
  model = std::filesystem::absolute(model).string();
}

// A run for one step ends in this time, in so many processes.
constexpr const char* kStepBudget = "90s";
constexpr int kStepProcesses = 3;
// Such rows are planned for this share of that time: many are cut to the fewest samples, and what they take besides is
// more than is expected of them. On an H100 200 of them took 46 s that were planned for 30.
constexpr double kPlannedShare = 0.6;

double planned_s(const RunFlags& flags, double budget_s) { return flags.step ? kPlannedShare * budget_s : budget_s; }

std::optional<std::string> budget_text(const RunFlags& flags) {
  return flags.step && !flags.budget ? kStepBudget : flags.budget;
}

void of_the_step(runner::Asked& asked, const RunFlags& flags) {
  const runner::Selection& chosen = asked.selection;
  if (!chosen.families.empty() || !chosen.filters.empty() || !chosen.advice.empty() || asked.profile) {
    throw UsageError("--step chooses the benchmarks by itself: leave out families, --filter, --advice and the profile");
  }
  asked.profile = asked.settings.profile = "full";
  asked.processes = asked.processes.value_or(kStepProcesses);
  const double budget_s = planned_s(flags, *duration(budget_text(flags))) / *asked.processes;
  asked.selection = chosen_for_step(*flags.step, families(flags.choice), asked.settings, budget_s);
}

runner::Asked asked_for(const RunFlags& flags) {
  runner::Asked asked = flags.asked;
  asked.profile = flags.choice.profile.asked();
  asked.selection = flags.choice.selection();
  if (flags.step) of_the_step(asked, flags);
  if (asked.settings.model) of_the_users_model(asked);
  asked.settings.max_wall_s = duration(flags.max_wall);
  asked.settings.timeout_s = duration(flags.timeout);
  if (flags.libraries) asked.settings.libraries = std::filesystem::absolute(*flags.libraries).string();
  if (flags.data) {
    if (!std::filesystem::is_directory(*flags.data))
      throw UsageError("--data " + *flags.data + ": there is no such folder");
    asked.settings.data = std::filesystem::absolute(*flags.data).string();
  }
  return asked;
}

// An earlier run goes on as it was begun: the command line may not say otherwise.
runner::Begun begun_run(const RunFlags& flags, const std::optional<record::ResultSet>& earlier) {
  const runner::Asked asked = asked_for(flags);
  try {
    return runner::begun_run(asked, earlier);
  } catch (const std::invalid_argument& problem) {
    throw UsageError(std::string("--resume: ") + problem.what());
  }
}

// The share of a family's time that is of benchmarks which need no GPU: the others are skipped where there is none.
double share_without_device(const runner::PlannedFamily& family) {
  double all_s = 0, without_s = 0;
  for (const record::ListedBenchmark& benchmark : family.benchmarks) {
    all_s += runner::expected_s(benchmark);
    if (!benchmark.needs_device) without_s += runner::expected_s(benchmark);
  }
  return all_s > 0 ? without_s / all_s : family.needs_device() ? 0 : 1;
}

// "about 2 min 7 s", and what is left of it where there is no GPU: whether one is there, only an executable knows.
std::string time_text(double expected_s, double without_device_s, bool needs_device) {
  const std::string text = "about " + units::format_duration(expected_s);
  if (!needs_device) return text;
  return text + " if a GPU is there, " +
         (without_device_s > 0 ? "about " + units::format_duration(without_device_s) + " if none is" : "else nothing");
}

// Prints what is still to be done of the plan: all of it, but for what an earlier run has.
void print_plan(const runner::Plan& plan, const runner::Collection& collection) {
  using report::left, report::right;
  report::Table table({left("family"), right("benchmarks"), right("processes"), right("time"), right("device memory"),
                       right("host memory")});
  std::size_t benchmarks = 0;
  double expected_s = 0, without_device_s = 0;
  bool needs_device = false;
  for (const runner::PlannedFamily& family : plan.families) {
    const runner::Lack lack = collection.lack(family);
    if (lack.processes == 0) continue;
    benchmarks += lack.benchmarks;
    expected_s += lack.expected_s;
    without_device_s += lack.expected_s * share_without_device(family);
    needs_device = needs_device || family.needs_device();
    table.row({family.name, std::to_string(lack.benchmarks), std::to_string(lack.processes),
               units::format_duration(lack.expected_s),
               family.needs_device() ? units::format_size(family.device_bytes()) : "none",
               units::format_size(family.host_bytes())});
  }
  print(fmt::format("{}\n{}, {} profile, {}\n", report::as_text(table, {output_columns()}),
                    units::counted(static_cast<std::int64_t>(benchmarks), "benchmark"), plan.settings.profile,
                    time_text(expected_s, without_device_s, needs_device)));
  for (const std::string& cut : plan.cuts) print(units::wrap_lines("to fit the budget: " + cut, output_columns()));
  for (const auto& [family, problem] : plan.problems) {
    print(units::wrap_lines(fmt::format("{} cannot run: {}", family, problem), output_columns()));
  }
}

// Room for all samples of all rows, generously: 400 of 20 bytes, and as much again for the rest.
std::int64_t wanted_bytes(const runner::Plan& plan) {
  const auto rows = static_cast<std::int64_t>(plan.benchmarks()) * plan.settings.processes;
  return (std::int64_t{1} << 20) + rows * 16 * 1024;
}

std::optional<std::filesystem::path> output_of(const RunFlags& flags) {
  if (flags.output) return *flags.output;
  return flags.resume;
}

void check_place(const RunFlags& flags, const runner::RunRequest& request, const runner::Plan& plan) {
  if (!request.output) return runner::check_folder(request.folder, wanted_bytes(plan));
  const bool replaces_itself = request.earlier && *request.output == *flags.resume;
  runner::check_output(*request.output, flags.force || replaces_itself, wanted_bytes(plan));
  // A page has the name of its result: that of foo.txt would be that of foo.json.
  if (flags.output && request.output->extension() != ".json") {
    throw UsageError(fmt::format("--output {}: a result file's name ends in .json", *flags.output));
  }
}

bool anything_ran(const runner::RunOutcome& outcome) {
  const auto is_ok = [](const record::Row& row) { return row.status == record::Status::ok; };
  return std::ranges::any_of(outcome.results.rows, is_ok);
}

// A family that was asked for by name and found no device, or nothing that ran for lack of one.
bool lacks_device(const RunFlags& flags, const runner::RunOutcome& outcome) {
  const auto is_named = [&](const std::string& family) { return units::contains(flags.choice.families, family); };
  if (std::ranges::any_of(outcome.no_device, is_named)) return true;
  return !outcome.no_device.empty() && !anything_ran(outcome);
}

int exit_code(const RunFlags& flags, const runner::RunOutcome& outcome) {
  if (outcome.interrupted) return kInterrupted;
  if (outcome.failed || outcome.without_time > 0 || !outcome.write_problem.empty()) return kFailed;
  if (lacks_device(flags, outcome)) return kNoDevice;
  return anything_ran(outcome) ? kDone : kNothing;
}

// foo.html beside foo.json; its name. Where it cannot be written the result is still there.
std::string write_page(const std::filesystem::path& written, const record::ResultSet& results,
                       const bands::Judgement& board) {
  if (written.extension() != ".json") return "";
  std::filesystem::path page = written;
  page.replace_extension(".html");
  try {
    const report::ReportedFile file{written.filename().string(), results, false, board};
    report::write_html({file}, page);
    return page.string();
  } catch (const std::exception& error) {
    complain(fmt::format("no report: {}", error.what()));
    return "";
  }
}

// The list of all runs, where this one went to their folder.
void renew_index(const RunFlags& flags, const std::filesystem::path& written) {
  if (output_of(flags)) return;
  try {
    write_index_of(written.parent_path(), false, flags.bands, false);
  } catch (const std::exception& error) {
    complain(fmt::format("the list of runs is not renewed: {}", error.what()));
  }
}

// Bands that cannot be read keep nobody from seeing what was measured.
bands::Judgement board_of(const record::ResultSet& results, const RunFlags& flags) {
  try {
    return judge_board(results, flags.bands);
  } catch (const files::ReadError& error) {
    complain(error.what());
    return {};
  }
}

// The figures, and the answer on one screen where some advice was measured.
void print_figures(const record::ResultSet& results, report::ShowOptions how, const report::AnswerPlaces& places) {
  how.brief = true;
  print(fmt::format("{}\n", report::show(results, how)));
  if (!advice::has_advice(results)) return;
  const report::AdvisedFile file = report::advised_file(places.files, results, {}, how.board);
  print(report::as_text({.blocks = report::answer(file, places)}, how.terminal));
}

// The names of the files, a line each, are the last that a run prints: programs read them.
void print_written(const std::vector<std::string>& written, bool quiet) {
  if (!quiet) print(fmt::format("\n{} written, nothing sent:\n", units::counted(std::ssize(written), "file")));
  for (const std::string& file : written) print(fmt::format("{}\n", file));
}

void tell_unfinished(const runner::RunOutcome& outcome, const std::string& then) {
  if (!outcome.interrupted && outcome.without_time == 0) return;
  complain(fmt::format("{}; {}", outcome.interrupted ? "interrupted" : "the budget is spent", then));
}

void print_outcome(const RunFlags& flags, const runner::RunOutcome& outcome) {
  if (outcome.results.rows.empty()) {
    complain(fmt::format("{}nothing was measured, and nothing written",
                         outcome.interrupted ? "interrupted before a benchmark was done: " : ""));
    return;
  }
  report::ShowOptions how;
  how.terminal = terminal_of();
  how.board = board_of(outcome.results, flags);
  const std::string file = outcome.written.string();
  if (!flags.quiet && !flags.printed) print_figures(outcome.results, how, {.files = file.empty() ? "FILE" : file});
  // No verdict can be built on them: that is said to who asked for quiet, too.
  if (const std::string why = figures::none_counts_text(outcome.results); !why.empty()) complain(why);
  if (!outcome.write_problem.empty()) complain(outcome.write_problem);
  if (outcome.written.empty()) return;
  if (flags.printed) return tell_unfinished(outcome, "what was measured is printed");
  std::vector<std::string> written{file};
  if (std::string page = write_page(outcome.written, outcome.results, how.board); !page.empty())
    written.insert(written.begin(), std::move(page));
  renew_index(flags, outcome.written);
  print_written(written, flags.quiet);
  const std::optional<std::string>& folder = flags.choice.folder;
  tell_unfinished(outcome, fmt::format("continue with: cupel run --resume {}{}", files::arguments_text({file}),
                                       folder ? " --bench-dir " + files::arguments_text({*folder}) : ""));
}

// The run to carry out, or why there is none (an exit code).
struct Prepared {
  runner::Plan plan;
  std::optional<int> code;
};

Prepared stop(const std::string& why, int code) {
  complain(why);
  return {{}, code};
}

std::string too_little(const RunFlags& flags, const runner::Plan& plan) {
  return fmt::format(
      "--budget {}: one process with the fewest samples takes about {}; give it that, or choose less (--filter)",
      *budget_text(flags), units::format_duration(plan.least_s()));
}

Prepared prepare(const RunFlags& flags, const runner::Begun& begun, bool goes_on) {
  std::vector<runner::Family> there = families(flags.choice);
  if (const std::string unknown = unknown_families(begun.selection.families, there); !unknown.empty()) {
    return stop(unknown + several_filters(begun.selection.filters), kNothing);
  }
  runner::Plan plan = runner::make_plan(there, begun.settings, begun.selection);
  require_known_advice(begun.selection.advice, there);
  const std::optional<double> budget_s = duration(budget_text(flags));
  if (budget_s && !goes_on) {  // what is to be continued goes on as it was begun, as far as there is time
    if (plan.least_s() > *budget_s) return stop(too_little(flags, plan), kUsage);
    plan = runner::fit_budget(std::move(plan), planned_s(flags, *budget_s));
  }
  if (host::interrupts() > 0) return stop("interrupted", kInterrupted);
  if (!plan.families.empty()) return {std::move(plan), std::nullopt};
  for (const auto& [family, problem] : plan.problems) say(fmt::format("{}: {}", family, problem));
  if (!plan.problems.empty()) return stop("no family can run", kFailed);
  return stop(nothing_matches(there, begun.settings, begun.selection), kNothing);
}

// Prints nothing of its own unless something is wrong: the output is the profiler's.
int profile(const runner::Plan& plan) {
  for (const auto& [family, problem] : plan.problems) complain(fmt::format("{}: {}", family, problem));
  const int code = runner::run_for_profiler(plan);
  return code == kDone && !plan.problems.empty() ? kFailed : code;
}

std::string users_code_text(const std::string& model) {
  return fmt::format(
      "--model {} runs your code with your permissions; the result holds only shapes, counts and times of it", model);
}

// The line of progress is gone from the terminal before anything else is printed there.
runner::RunOutcome measure(const runner::Plan& plan, const runner::RunRequest& request, const RunFlags& flags) {
  runner::TerminalProgress terminal(stderr);
  runner::Observer silent;
  runner::Observer& progress = flags.quiet ? silent : terminal;
  if (flags.asked.settings.model) progress.said(users_code_text(*flags.asked.settings.model));
  for (const std::string& cut : plan.cuts) progress.said("to fit the budget: " + cut);
  return runner::run(plan, request, progress);
}

// An earlier run that came to its end with all of the plan. Its file is left as it is.
bool lacks_nothing(const runner::Plan& plan, const runner::Collection& collection, const record::RunInfo& run) {
  const bool ended = plan.problems.empty() && !run.interrupted && !run.whole_processes;
  return ended && std::ranges::all_of(plan.families, [&](const runner::PlannedFamily& family) {
           return collection.lack(family).processes == 0;
         });
}

// Where a file lacks nothing: what failed there has been measured, and fails the run again.
int tell_complete(const std::string& file, const record::ResultSet& earlier) {
  const auto failed = std::ranges::count(earlier.rows, record::Status::failed, &record::Row::status);
  if (failed > 0) {
    print(fmt::format("{0} lacks nothing, but {1} of its rows failed; cupel show {0} says why\n", file, failed));
    return kFailed;
  }
  print(fmt::format("{0} lacks nothing: there is nothing to measure; cupel show {0} shows it\n", file));
  return kDone;
}

// A run goes on in its own file.
void require_one_file(const RunFlags& flags) {
  if (flags.resume && (*flags.resume == files::kStandardInput || flags.resume->ends_with(".gz"))) {
    throw UsageError(fmt::format("--resume {}: a run goes on in its own file, which cannot be {}", *flags.resume,
                                 flags.resume->ends_with(".gz") ? "packed: unpack it first" : "standard input"));
  }
  if (!flags.resume || !flags.output) return;
  throw UsageError(fmt::format("--resume {0} goes on in {0}: leave out --output, or copy the file and resume the copy",
                               *flags.resume));
}

int run_to_file(const RunFlags& flags) {
  require_one_file(flags);
  add_family_advice(flags.choice.folder);
  std::optional<host::InterruptCount> counted(std::in_place);
  runner::RunRequest request;
  if (const auto budget_s = duration(budget_text(flags))) request.budget = runner::TimeBudget{*budget_s};
  const bool goes_on = flags.resume && std::filesystem::exists(*flags.resume);
  std::optional<files::FileLock> lock;  // before the file is read: nobody else goes on with it
  if (goes_on && !flags.dry_run) lock.emplace(*flags.resume);
  if (goes_on) request.earlier = record::read(*flags.resume);
  const runner::Begun begun = begun_run(flags, request.earlier);
  check_settings(begun.settings, goes_on ? *flags.resume + ": " : "");
  if (begun.settings.libraries) runner::use_libraries(*begun.settings.libraries);
  const Prepared prepared = prepare(flags, begun, goes_on);
  if (prepared.code) return *prepared.code;
  if (flags.resume && !goes_on) say(*flags.resume + " is not there: starting a new run");
  const runner::Plan& plan = prepared.plan;
  runner::Collection collection(plan);
  if (request.earlier) collection.adopt(*request.earlier);
  if (request.earlier && lacks_nothing(plan, collection, request.earlier->context.run)) {
    // A run that was killed at its very end has none, or an older one.
    if (!flags.dry_run) {
      const std::string page = write_page(*flags.resume, *request.earlier, board_of(*request.earlier, flags));
      if (!page.empty()) print(page + "\n");
    }
    return tell_complete(*flags.resume, *request.earlier);
  }
  if (flags.dry_run) {
    print_plan(plan, collection);
    return plan.problems.empty() ? kDone : kFailed;
  }
  if (flags.profiler) return profile(plan);

  request.output = output_of(flags);
  request.folder = runs_folder();
  request.shortest_work = runner::read_shortest_work(plan);
  check_place(flags, request, plan);
  if (!lock && request.output) lock.emplace(*request.output);
  const runner::RunOutcome outcome = measure(plan, request, flags);
  counted.reset();  // all is written: what is left is to show it
  if (!outcome.refused.empty()) {
    complain(fmt::format("{} cannot be continued here: {}", *flags.resume, outcome.refused));
    return kNothing;
  }
  print_outcome(flags, outcome);
  return exit_code(flags, outcome);
}

int run(const RunFlags& flags) {
  if (flags.output != files::kStandardInput || flags.resume) return run_to_file(flags);
  const runner::ScratchFolder scratch;
  RunFlags to_scratch = flags;
  to_scratch.printed = true;
  to_scratch.output = (scratch.path() / "result.json").string();
  const int code = run_to_file(to_scratch);
  if (std::filesystem::exists(*to_scratch.output)) print(files::read_file(*to_scratch.output));
  return code;
}

}  // namespace

void add_run(Command& app) {
  Command& command = app.add_subcommand("run", "Measure, and keep the result");
  add_flags(command, command.runs(run));
  command.examples(
      {{"cupel run --quick", "Measures few sizes of all families, in minutes"},
       {"cupel run transfer --standard --filter h2d -o h2d.json", "Measures copies to the GPU, into that file"}});
  command.exits({{kNoDevice}, {kFailed}, {kNothing, "nothing ran"}, {kInterrupted}});
}

}  // namespace cupel::cli
