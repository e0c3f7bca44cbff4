// `cupel history`: results over many commits. `add` keeps one, the command itself looks for steps and drift.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <set>

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/gate_common.hpp"
#include "cli/print.hpp"
#include "cupel/figures/causes.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/history/history.hpp"
#include "cupel/history/store.hpp"
#include "cupel/report/history/history.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/units/date.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRevision = 12;  // characters of one

struct AddFlags {
  std::vector<std::string> files;  ///< and the folder behind them
  std::optional<std::string> commit, date;
  bool force = false, quiet = false;
};

struct HistoryFlags {
  std::string folder, output = "-";
  report::Format format = report::Format::text;
  std::optional<std::string> machine, merge_base, release, accepted, policy, renames;
  int window = 50;
  bool all = false, legend = false;
};

// When the file was last written, which is when it was measured if nobody has touched it since; now, of what is no
// file.
std::string time_of_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return runner::utc_iso();
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(status.st_mtime));
}

// The date that --date says, else the file, else its own time: in UTC, so that points of several places are in order.
std::string date_of(const AddFlags& flags, const std::string& file, const record::RunInfo& run) {
  const std::string said = flags.date.value_or(run.started);
  if (said.empty()) return time_of_file(file);
  if (const std::optional<std::string> date = units::utc_of(said)) return *date;
  throw UsageError(fmt::format("'{}' is no date, as 2026-11-20T06:35:00Z is one; say --date", said));
}

// The commit that was measured: what --commit says, else the revision that the file has.
std::string commit_of(const AddFlags& flags, const std::string& file, const record::Build& build) {
  if (flags.commit && !history::is_fit_for_a_file_name(*flags.commit)) {
    throw UsageError("--commit: letters, digits, '-', '_' and '.' only, at most 100");
  }
  if (flags.commit) return *flags.commit;
  if (!history::is_fit_for_a_file_name(build.git_revision)) throw UsageError(file + " has no revision; say --commit");
  return build.git_revision.substr(0, kRevision) + (build.git_dirty ? "-changed" : "");
}

// A file that is cut short lacks rows, and a name that occurs twice has no time that could be kept.
void say_left_out(const figures::Suite& suite, const std::string& file) {
  const record::RunInfo& run = suite.context.run;
  if (run.interrupted || run.whole_processes) {
    const auto cut = run.notes.find("file");
    const std::string state = run.whole_processes ? record::processes_text(run) : "interrupted";
    complain(
        fmt::format("{}: {}; the point has what was measured", file, cut == run.notes.end() ? state : cut->second));
  }
  for (const figures::Benchmark& benchmark : suite.benchmarks) {
    if (!benchmark.twice) continue;
    complain(
        fmt::format("{}: {} is left out: its name occurs twice in a process", file, units::visible(benchmark.name)));
  }
}

// A file, and what is kept of it.
struct Added {
  std::string file;
  figures::Suite suite;
  history::HistoryPoint point;
};

Added read_added(const AddFlags& flags, const std::string& file) {
  figures::Suite suite = figures::read_suite(file);
  const std::string commit = commit_of(flags, file, suite.context.build);
  const std::string date = date_of(flags, file, suite.context.run);
  history::HistoryPoint point = history::history_point(suite, commit, date);
  return {file, std::move(suite), std::move(point)};
}

int add_point(const AddFlags& flags, const Added& added) {
  const auto& [file, suite, point] = added;
  say_left_out(suite, file);
  const std::string busy = figures::busy_text(suite);
  if (point.benchmarks.empty()) {
    complain(busy.empty() ? fmt::format("{} has no benchmark that was measured", file)
                          : fmt::format("{}: nothing to keep: {}", file, busy));
    return kNothing;
  }
  if (!busy.empty()) complain(fmt::format("{}: the point lacks some: {}", file, busy));
  const fs::path folder = history::folder_of(flags.files.back(), suite.context);
  runner::check_folder(folder, 1 << 20);
  const fs::path path = history::keep_point(folder, point, flags.force);
  if (!flags.quiet) print(fmt::format("{}\n", path.string()));
  return kDone;
}

// All files are read before the first is kept: where one cannot be, the history stays as it was.
int add(const AddFlags& flags) {
  if (flags.files.size() < 2)
    throw UsageError("name the files and, last, the history's folder; cupel history add --help says more");
  if (fs::is_regular_file(flags.files.back()))
    throw UsageError(flags.files.back() + " is a file; name the history's folder last");
  std::vector<Added> all;
  for (const std::string& file : flags.files | std::views::take(flags.files.size() - 1))
    all.push_back(read_added(flags, file));
  int code = kDone;
  for (const Added& added : all) code = std::max(code, add_point(flags, added));
  return code;
}

// The names of each point's benchmarks.
std::vector<std::set<std::string>> spellings_of(const std::vector<history::HistoryPoint>& points) {
  std::vector<std::set<std::string>> names;
  for (const history::HistoryPoint& point : points) {
    std::set<std::string>& own = names.emplace_back();
    for (const auto& [name, values] : point.benchmarks) own.insert(name);
  }
  return names;
}

int look(const HistoryFlags& flags) {
  if (flags.folder.empty()) throw UsageError("history: name its folder; cupel history --help says more");
  if (fs::is_regular_file(flags.folder))
    throw UsageError(flags.folder +
                     " is a file; name the folder of a history, which cupel history add FILE DIR begins");
  history::HistoryOptions options;
  options.window = static_cast<std::size_t>(flags.window);
  options.today = today();
  if (flags.policy) options.policy = gate::policy_from_json(files::read_file(*flags.policy), *flags.policy);
  if (flags.accepted)
    options.accepted = history::accepted_from_json(files::read_file(*flags.accepted), *flags.accepted);
  for (const std::optional<std::string>& reference : {flags.merge_base, flags.release}) {
    if (reference) options.references.push_back(*reference);
  }
  const figures::Renames renames = read_renames(flags.renames);
  const fs::path machine = history::machine_folder(flags.folder, flags.machine);
  std::vector<history::HistoryPoint> points = history::read_points(machine);
  std::set<std::string> renamed;
  for (history::HistoryPoint& point : points) {
    renamed.merge(figures::rename_keys(point.benchmarks, renames));
    figures::rename_keys(point.modes, renames);
  }
  if (points.empty()) throw UsageError(flags.folder + " holds no history; begin with cupel history add");
  require_none_idle(renames, renamed, spellings_of(points), flags.renames);
  if (const std::vector<std::string> hosts = history::hosts_of(points); hosts.size() > 1) {
    complain(
        fmt::format("{} holds points of {} machines ({}), whose times cannot be held against each other: give "
                    "each a folder of its own",
                    machine.string(), hosts.size(), fmt::join(hosts, ", ")));
    return kNothing;
  }
  const history::HistoryResult result = analyse(std::move(points), options);
  write_text(flags.output, report::history(result, {flags.format, flags.all, flags.legend, terminal_of(flags.output)}));
  if (result.points == 0) return kNothing;
  if (result.regression()) return kRegression;
  if (result.undecided()) return kUndecided;
  return !options.references.empty() && !result.decidable() ? kNothing : kDone;
}

}  // namespace

void add_history(Command& app) {
  Command& command = app.add_subcommand("history", "Find steps and drift over many commits");
  HistoryFlags& flags = command.runs(look);
  command.add_option("folder DIR", flags.folder, "Folder of the history");
  command.add_option("--machine ID", flags.machine, "Which machine, where the folder has several");
  command.add_option("--merge-base COMMIT", flags.merge_base, history::reference_text());
  command.add_option("--release COMMIT", flags.release, "Another reference: the commit of the last release");
  command.add_option("--accepted FILE", flags.accepted,
                     "File of accepted slowdowns, each with a reason and a last day");
  command.add_option("--policy FILE", flags.policy, "Tolerances, as of cupel gate");
  add_renames_flag(command, flags.renames);
  command.add_option("--window", flags.window, "Search so many of the latest points for steps (default 50)")
      ->range(6, 1000);
  command.add_word("--format", flags.format, report::kHistoryFormats, "text (default), markdown, json or html");
  command.add_flag("--all", flags.all, "Every row, including benchmarks that did not get slower");
  command.add_flag("--legend", flags.legend, "What the columns mean, below the tables");
  add_output_flag(command, flags.output);
  command.examples({{"cupel history history", "Says what became slower, and with which commit"},
                    {"cupel history history --merge-base 35813a9b4d39", "Holds the newest point against that commit"}});
  command.exits({{kRegression, "the newest commit is slower, and no accepted slowdown covers it"},
                 {kNothing, "nothing could be compared"},
                 {kUndecided, "the newest commit looks slower, and too few sessions were measured to show it"}});

  Command& adding = command.add_subcommand("add", "Keep result files as points of the history");
  AddFlags& add_flags = adding.runs(add);
  adding
      .add_option("files FILE... DIR", add_flags.files,
                  "Result files, of cupel or of any Google Benchmark program, a point each; last the history's folder")
      ->required();
  adding.add_option("--commit COMMIT", add_flags.commit, "What was measured (default: the revision that the file has)");
  adding.add_option("--date ISO8601", add_flags.date,
                    "Place in the order (default: when it was measured, as the file says, else the file's own time)");
  adding.add_flag("-f,--force", add_flags.force, "Replace the point if the history has it");
  adding.add_flag("-q,--quiet", add_flags.quiet, "Do not print the name of the point's file");
  adding.examples(
      {{"cupel history add host.json history", "Keeps a result as the point of the commit it was built from"},
       {"cupel history add other.json history --commit 1.9 --date 2026-11-20", "Keeps another program's"}});
  adding.exits({{kNothing, "the file has no benchmark that was measured, or a busy machine measured all of them"}});
}

}  // namespace cupel::cli
