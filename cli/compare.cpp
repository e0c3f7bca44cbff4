// `cupel compare`: results beside each other, and the machines of a fleet.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <map>

#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/gate_common.hpp"
#include "cli/print.hpp"
#include "cupel/compare/comparison.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/files/errors.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/labels.hpp"
#include "cupel/fleet/boards.hpp"
#include "cupel/fleet/expect.hpp"
#include "cupel/fleet/fleet.hpp"
#include "cupel/report/compare/compare.hpp"
#include "cupel/report/fleet/fleet.hpp"
#include "cupel/units/nearest.hpp"

namespace cupel::cli {
namespace {

// Files that are read at a time.
constexpr std::size_t kReaders = 2;

struct CompareFlags {
  std::vector<std::string> files;
  std::string fleet, expect, reference;
  std::optional<std::string> renames;
  std::string output = "-";
  std::vector<std::string> filters, only;
  double target_percent = 100 * compare::Policy{}.target, tolerance_percent = 100 * compare::Policy{}.tolerance;
  double alpha = compare::Policy{}.alpha;
  report::CompareOptions how;
};

std::string verdict_meant(const std::string& text) {
  constexpr auto kVerdicts = names_of(compare::Verdict());
  const std::string meant = units::meant_by(text, {kVerdicts.begin(), kVerdicts.end()});
  return meant.empty() ? "cupel compare --help lists them" : "did you mean " + meant + "?";
}

report::CompareOptions options_of(const CompareFlags& flags) {
  report::CompareOptions options = flags.how;
  options.terminal = terminal_of(flags.output);
  for (const std::string& text : flags.only) {
    const std::optional<compare::Verdict> verdict = compare::verdict_of(text);
    if (!verdict) throw UsageError(fmt::format("--only: '{}' is no verdict; {}", text, verdict_meant(text)));
    options.only.insert(*verdict);
  }
  return options;
}

compare::Policy policy_of(const CompareFlags& flags) {
  compare::Policy policy;
  policy.target = flags.target_percent / 100;
  policy.tolerance = flags.tolerance_percent / 100;
  require_room_for_same(policy.tolerance, policy.target);
  policy.alpha = flags.alpha;
  return policy;
}

figures::Suite labelled_suite(const std::string& file, const std::string& label, const figures::Renames& renames) {
  figures::Suite suite = figures::read_suite(file, renames);
  suite.label = label;
  return suite;
}

// unreadable: takes the files that cannot be read, by their labels, and what is wrong with them; without it that is
// thrown.
std::vector<figures::Suite> read_suites(const std::vector<std::string>& files, const figures::Renames& renames,
                                        std::map<std::string, std::string>* unreadable = nullptr) {
  const std::vector<std::string> labels = files::labels_of(files);
  std::vector<figures::Suite> suites;
  for (std::size_t first = 0; first < files.size(); first += kReaders) {
    std::vector<std::future<figures::Suite>> reading;
    for (std::size_t i = first; i < std::min(files.size(), first + kReaders); ++i) {
      reading.push_back(std::async(std::launch::async, labelled_suite, files[i], labels[i], renames));
    }
    for (std::size_t i = 0; i < reading.size(); ++i) {
      try {
        suites.push_back(reading[i].get());
      } catch (const files::ReadError& error) {
        if (unreadable == nullptr) throw;
        (*unreadable)[labels[first + i]] = error.what();
      }
    }
  }
  return suites;
}

// The file that --reference names, by path, name or place (1 is the first).
std::size_t reference_of(const CompareFlags& flags, const std::vector<figures::Suite>& suites) {
  if (flags.reference.empty()) return 0;
  for (std::size_t i = 0; i < suites.size(); ++i) {
    if (flags.reference == flags.files[i] || flags.reference == suites[i].label ||
        flags.reference == std::to_string(i + 1)) {
      return i;
    }
  }
  throw UsageError("--reference: '" + flags.reference + "' is none of the files");
}

bool any_row(const compare::CompareReport& report, const std::function<bool(const compare::Comparison&)>& is) {
  return std::ranges::any_of(report.contenders,
                             [&](const auto& contender) { return std::ranges::any_of(contender.rows, is); });
}

int compare_files(const CompareFlags& flags) {
  if (!flags.expect.empty()) throw UsageError("--expect is of the nodes of --fleet DIR");
  if (flags.files.empty() && flags.how.legend) {
    write_text(flags.output, report::compare_legend(policy_of(flags), options_of(flags)));
    return kDone;
  }
  if (flags.files.size() < 2) throw UsageError("compare needs two files or more, or --fleet DIR");
  const report::CompareOptions options = options_of(flags);
  const compare::Policy policy = policy_of(flags);
  const figures::Renames renames = read_renames(flags.renames);
  std::vector<figures::Suite> suites = read_suites(flags.files, renames);
  require_none_idle(renames, suites, flags.renames);
  for (std::size_t i = 0; i < suites.size(); ++i) {
    if (suites[i].benchmarks.empty()) complain(fmt::format("{} has no results", files::shown_path(flags.files[i])));
  }
  const std::size_t reference = reference_of(flags, suites);
  const std::vector<std::string> names = names_of(suites);
  const runner::Filters filters(flags.filters);
  const auto is_looked_at = [&](const compare::Comparison& row) {
    std::vector<std::string> spellings = row.printed;
    spellings.push_back(row.name);
    return filters.choose(spellings);
  };
  const compare::CompareReport result = compare::side_by_side(std::move(suites), reference, policy, is_looked_at);
  if (!flags.filters.empty() && !any_row(result, [](const auto&) { return true; })) {
    complain(no_match(flags.filters, names, "these files"));
    return kNothing;
  }
  write_text(flags.output, report::compare(result, options));
  const bool any =
      any_row(result, [](const auto& row) { return row.metric.empty() && compare::has_figures(row.verdict); });
  if (!any) complain("nothing could be compared: no benchmark has figures in both files");
  // Nobody knows which of two benchmarks of one name was measured.
  const bool has_name_twice =
      any_row(result, [](const auto& row) { return row.baseline.twice || row.contender.twice; });
  return has_name_twice ? kFailed : any ? kDone : kNothing;
}

std::vector<std::string> expected_nodes(const CompareFlags& flags) {
  if (flags.expect.empty()) return {};
  try {
    std::vector<std::string> nodes = fleet::node_names(flags.expect);
    if (nodes.empty()) throw UsageError("--expect names no node");
    return nodes;
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--expect: {}", error.what()));
  }
}

// Says why nothing could be judged, and what a fleet takes.
std::string nothing_judged(const CompareFlags& flags, const std::vector<fleet::Fleet>& fleets,
                           const fleet::FleetRule& rule) {
  const auto shares_nothing = [&](const fleet::Fleet& fleet) { return fleet.judged.shares_nothing(); };
  const auto is_large = [&](const fleet::Fleet& fleet) { return fleet.machines.size() >= rule.fewest; };
  if (std::ranges::any_of(fleets, is_large) && std::ranges::all_of(fleets, shares_nothing)) {
    return fmt::format(
        "nothing could be judged: --fleet wants the same benchmarks of {} machines of one model or more, in a file "
        "each, and no benchmark in {} is of so many; cupel advise {} takes the files as one GPU's, and cupel compare "
        "{} OTHER holds them against another's",
        rule.fewest, flags.fleet, flags.fleet, flags.fleet);
  }
  const std::string why =
      fmt::format("nothing could be judged: in {} no benchmark has a usable time on {} machines of one model",
                  flags.fleet, rule.fewest);
  if (std::ranges::any_of(fleets, is_large)) return why + "; cupel show FILE says why, for each file";
  return fmt::format("{}; measure {} nodes of one model at least, into a file each: cupel run --output {}", why,
                     rule.fewest, (std::filesystem::path(flags.fleet) / "NODE.json").string());
}

int fleet_code(const std::vector<fleet::Fleet>& fleets, const fleet::FleetRule& rule, bool is_lacking) {
  const auto has_families = [](const fleet::Fleet& fleet) { return !fleet.families.empty(); };
  const auto is_undecided = [&](const fleet::Fleet& fleet) {
    return fleet.machines.size() >= rule.fewest && !fleet.judged.is_enough();
  };
  if (std::ranges::any_of(fleets, &fleet::Fleet::finds_any)) return kRegression;
  if (is_lacking) return kFailed;
  if (std::ranges::none_of(fleets, has_families)) return kNothing;
  return std::ranges::any_of(fleets, is_undecided) ? kUndecided : kDone;
}

int compare_fleet(const CompareFlags& flags) {
  if (!flags.files.empty()) throw UsageError("--fleet reads the files of its folder; name no others");
  const std::vector<std::string> files = files::json_files_in(flags.fleet);
  if (const std::vector<std::string> folders = files::folders_in(flags.fleet); !folders.empty()) {
    complain(fmt::format("{}: files in folders below it are not read: {}", flags.fleet, fmt::join(folders, ", ")));
  }
  const std::vector<std::string> expected = expected_nodes(flags);
  if (files.empty() && expected.empty()) {
    throw UsageError(flags.fleet + ": holds no .json file; --fleet takes a folder with a result file of each node");
  }
  std::map<std::string, std::string> unreadable;
  std::vector<figures::Suite> suites = read_suites(files, read_renames(flags.renames), &unreadable);
  if (expected.empty() && suites.empty() && !unreadable.empty()) throw files::ReadError(unreadable.begin()->second);
  fleet::FleetFiles about;
  about.attendance =
      expected.empty() ? fleet::attendance(suites, unreadable) : fleet::attendance(expected, suites, unreadable);
  if (expected.empty() && about.attendance->absent.empty()) about.attendance.reset();
  about.again = fleet::count_boards_once(suites);
  // A machine's figure for a family is of what was chosen of it.
  const std::vector<std::string> names = names_of(suites);
  for (figures::Suite& suite : suites) keep_chosen(suite, flags.filters);
  if (!flags.filters.empty() &&
      std::ranges::all_of(suites, [](const figures::Suite& suite) { return suite.benchmarks.empty(); })) {
    complain(no_match(flags.filters, names, flags.fleet));
    return kNothing;
  }
  const fleet::FleetRule rule;
  const std::vector<fleet::Fleet> fleets = fleet::fleets(suites, rule);
  std::vector<std::string> labels;
  for (const figures::Suite& suite : suites) labels.push_back(suite.label);
  const report::FleetOptions how{flags.how.format, flags.how.all, flags.how.legend, terminal_of(flags.output)};
  write_text(flags.output, report::fleet(fleets, labels, rule, how, about));
  if (std::ranges::all_of(fleets, [](const fleet::Fleet& fleet) { return fleet.families.empty(); })) {
    complain(nothing_judged(flags, fleets, rule));
  }
  return fleet_code(fleets, rule, expected.empty() ? !unreadable.empty() : !about.attendance->absent.empty());
}

int compare_results(const CompareFlags& flags) {
  return flags.fleet.empty() ? compare_files(flags) : compare_fleet(flags);
}

}  // namespace

void add_compare(Command& app) {
  Command& command = app.add_subcommand("compare", "Compare result files: GPUs, drivers, commits, machines");
  CompareFlags& flags = command.runs(compare_results);
  command.add_option("files", flags.files,
                     "Result files of cupel or of any Google Benchmark program, "
                     "or folders of the files of one run each");
  command.group("What is compared");
  Option* const fleet =
      command.add_option("--fleet", flags.fleet, "Find the machines that stand out among the results in this folder");
  fleet->type_name("DIR");
  command.add_option(
      "--expect NODES", flags.expect,
      "Nodes that must have a result in the folder of --fleet, as Slurm writes them: n[1-4,7],login1. Those "
      "without a whole one are named, and the exit code is 4");
  command
      .add_option("--reference FILE|N", flags.reference, "File that the others are compared with (default: the first)")
      ->excludes(fleet);
  add_filter_flag(command, flags.filters);
  add_renames_flag(command, flags.renames);
  command.group("How it is shown");
  command
      .add_option(
          "--only VERDICT", flags.only,
          "Only rows with this verdict: same, slower (a counter: worse), faster (a counter: better), inconclusive, "
          "missing, added, skipped, failed, throttled, busy, not-comparable")
      ->repeatable()
      ->delimiter(',')
      ->excludes(fleet);
  using report::Sort;
  command
      .add_word("--sort", flags.how.sort, {Sort::file, Sort::name, Sort::ratio, Sort::time},
                "file (default), name, ratio (worst first) or time (slowest first)")
      ->excludes(fleet);
  command.add_word("--format", flags.how.format, report::kCompareFormats,
                   "text (default), markdown, csv, json or html");
  command.add_flag("--all", flags.how.all,
                   "Every row, including those that are the same or undecided, or are slow with all of their family");
  command.add_flag("--legend", flags.how.legend, "What the columns mean, below the tables");
  add_output_flag(command, flags.output);
  command.group("How it is judged");
  command.add_option("--tolerance", flags.tolerance_percent, "Smallest change called SLOWER or FASTER (default 1 %)")
      ->percent(kLeastPercent, kMostPercent)
      ->excludes(fleet);
  command
      .add_option("--target", flags.target_percent,
                  "SAME means that a change of this size would have been found (default 3 %)")
      ->percent(kLeastPercent, kMostPercent)
      ->excludes(fleet);
  command.add_option("--alpha", flags.alpha, "Chance that the table has a false SLOWER or FASTER (default 0.05)")
      ->range(1e-9, 0.5)
      ->excludes(fleet);
  command.examples({{"cupel compare old.json new.json", "Says what became slower or faster, beyond noise"},
                    {"cupel compare --fleet nodes --expect 'n[1-64]'", "Says which machine is not like the others"}});
  command.exits({{kRegression, "--fleet: a machine stands out"},
                 {kFailed, "a name occurs twice in a process, or a node of --expect has no whole result"},
                 {kNothing, "nothing could be compared"},
                 {kUndecided, "--fleet: fewer than half of the benchmarks of a model could be judged"}});
}

}  // namespace cupel::cli
