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
#include "cupel/files/errors.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/output_file.hpp"
#include "cupel/history/history.hpp"
#include "cupel/report/history/history.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/units/date.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
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

bool is_fit_for_a_file_name(const std::string& text) {
  return !text.empty() && text.size() <= 100 && text.front() != '.' && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
           c == '.';
  });
}

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

// "2026-11-20T06:35:00Z" as a file's name has it: "20261120T063500Z".
std::string compact(const std::string& date) {
  std::string text;
  for (const char c : date) {
    if ((c >= '0' && c <= '9') || c == 'T' || c == 'Z') text += c;
  }
  return text;
}

// The commit that was measured: what --commit says, else the revision that the file has.
std::string commit_of(const AddFlags& flags, const std::string& file, const record::Build& build) {
  if (flags.commit && !is_fit_for_a_file_name(*flags.commit)) {
    throw UsageError("--commit: letters, digits, '-', '_' and '.' only, at most 100");
  }
  if (flags.commit) return *flags.commit;
  if (!is_fit_for_a_file_name(build.git_revision)) throw UsageError(file + " has no revision; say --commit");
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

std::vector<fs::path> sorted_entries(const fs::path& folder, bool folders) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (folders ? entry.is_directory() : entry.path().extension() == ".json") found.push_back(entry.path());
  }
  if (error) throw UsageError(fmt::format("{}: cannot be read: {}", folder.string(), error.message()));
  std::ranges::sort(found);
  return found;
}

std::vector<history::HistoryPoint> points_of(const fs::path& machine) {
  std::vector<history::HistoryPoint> points;
  for (const fs::path& file : sorted_entries(machine, false)) {
    points.push_back(history::history_point_from_json(files::read_file(file), file.string()));
  }
  return points;
}

// The folder by the machine's name; where there is none yet, the only one whose points may be of the same machine.
fs::path folder_of(const fs::path& history, const record::Context& context) {
  const fs::path own = history / history::machine_id(context);
  if (!fs::is_directory(history) || fs::is_directory(own)) return own;
  std::vector<fs::path> same = sorted_entries(history, true);
  std::erase_if(same, [&](const fs::path& machine) { return !history::may_be_of(points_of(machine), context); });
  return same.size() == 1 ? same.front() : own;
}

// A file that cannot be read is in the point's place, whatever it was.
bool has_one_of(const history::HistoryPoint& point, const fs::path& file) {
  try {
    const history::HistoryPoint there =
        history::history_point_from_json(files::read_file(file.string()), file.string());
    return std::ranges::any_of(point.benchmarks, [&](const auto& one) { return there.benchmarks.contains(one.first); });
  } catch (const files::ReadError&) {
    return true;
  }
}

// The file of a point: named by its second and commit, and with a number where other benchmarks of that commit, as
// those of another family, were begun in that second. A file with one of its benchmarks is the point itself.
fs::path write_point(const fs::path& folder, const history::HistoryPoint& point, bool force) {
  const std::string name = fmt::format("{}-{}", compact(point.date), point.commit);
  for (int number = 1;; ++number) {
    const fs::path path = folder / (name + (number == 1 ? "" : fmt::format(".{}", number)) + ".json");
    if (files::write_new_file(path, to_json(point))) return path;
    if (!has_one_of(point, path)) continue;
    if (!force) throw UsageError(path.string() + ": the history has this point; replace it with --force");
    files::write_file(path, to_json(point));
    return path;
  }
}

// A file, and what is kept of it.
struct Added {
  std::string file;
  figures::Suite suite;
  history::HistoryPoint point;
};

Added read_added(const AddFlags& flags, const std::string& file) {
  figures::Suite suite = read_suite(file);
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
  const fs::path folder = folder_of(flags.files.back(), suite.context);
  runner::check_folder(folder, 1 << 20);
  const fs::path path = write_point(folder, point, flags.force);
  if (!flags.quiet) print(fmt::format("{}\n", path.string()));
  return kDone;
}

// All files are read before the first is kept: where one cannot be, the history stays as it was.
int add(const AddFlags& flags) {
  if (flags.files.size() < 2) throw UsageError("name the files and, last, the history's folder; cupel history add --help says more");
  if (fs::is_regular_file(flags.files.back()))
    throw UsageError(flags.files.back() + " is a file; name the history's folder last");
  std::vector<Added> all;
  for (const std::string& file : flags.files | std::views::take(flags.files.size() - 1))
    all.push_back(read_added(flags, file));
  int code = kDone;
  for (const Added& added : all) code = std::max(code, add_point(flags, added));
  return code;
}

// Tells whether the folders are histories themselves: their points are in folders of machines below them.
bool hold_machines(const std::vector<fs::path>& folders) {
  return !folders.empty() && std::ranges::all_of(folders, [](const fs::path& folder) {
    const std::vector<fs::path> below = sorted_entries(folder, true);
    return sorted_entries(folder, false).empty() &&
           std::ranges::any_of(below, [](const fs::path& machine) { return !sorted_entries(machine, false).empty(); });
  });
}

// The folder of the points: the only machine of the history, the one that was chosen, or the folder itself.
fs::path machine_folder(const HistoryFlags& flags) {
  const std::vector<fs::path> machines = sorted_entries(flags.folder, true);
  if (machines.empty() && !flags.machine && !sorted_entries(flags.folder, false).empty()) return flags.folder;
  if (hold_machines(machines)) {
    throw UsageError(fmt::format(
        "{} holds histories; name one of them: {}", flags.folder,
        units::joined(machines | std::views::transform([](const fs::path& path) { return path.string(); }))));
  }
  std::string names;
  for (const fs::path& machine : machines) {
    if (flags.machine && machine.filename() == *flags.machine) return machine;
    names += (names.empty() ? "" : ", ") + machine.filename().string();
  }
  if (machines.empty())
    throw UsageError(fmt::format("{} holds no history; begin with cupel history add", flags.folder));
  if (flags.machine) throw UsageError(fmt::format("--machine {}: there are {}", *flags.machine, names));
  if (machines.size() > 1)
    throw UsageError(fmt::format("{} is of several machines; choose --machine: {}", flags.folder, names));
  return machines.front();
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
  std::vector<history::HistoryPoint> points = points_of(machine_folder(flags));
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
                    machine_folder(flags).string(), hosts.size(), fmt::join(hosts, ", ")));
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
  using enum report::Format;
  command.add_word("--format", flags.format, {text, markdown, json, html}, "text (default), markdown, json or html");
  command.add_flag("--all", flags.all, "Every row, including benchmarks that did not get slower");
  command.add_flag("--legend", flags.legend, "What the columns mean, below the tables");
  add_output_flag(command, flags.output);
  command.examples({{"cupel history history", "Says what became slower, and with which commit"},
                    {"cupel history history --merge-base 35813a9b4d39", "Holds the newest point against that commit"}});
  command.exits({{kRegression, "the newest point is slower, and nobody agreed to it"},
                 {kNothing, "nothing could be compared"},
                 {kUndecided, "the newest point looks slower, and too few sessions were measured to show it"}});

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
