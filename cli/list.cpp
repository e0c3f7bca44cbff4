// `cupel list`: what there is to measure. Touches no device.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <stdexcept>

#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/explain_texts.hpp"
#include "cli/print.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/figures/names.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/runner/print.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::cli {
namespace {

struct ListFlags {
  Choice choice;
  std::string format = "text", output = "-";
};

std::string advice_text(const record::ListedBenchmark& benchmark) {
  std::vector<std::string> texts;  // one of several scenarios says the same again
  for (const record::AdviceTag& tag : benchmark.advice) {
    units::add_once(texts, fmt::format("{} ({}{}{})", tag.id, record::to_string(tag.role),
                                       tag.variant.empty() ? "" : " ", tag.variant));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string as_text(const runner::Plan& plan) {
  std::string all;
  for (const runner::PlannedFamily& family : plan.families) {
    report::Table table({report::left("benchmark", report::Fold::above), report::left("advice", report::Fold::below)});
    for (const record::ListedBenchmark& benchmark : family.benchmarks) {
      table.row({benchmark.name, advice_text(benchmark)});
    }
    // A pipe gets a line for each, unless it asks for a width: it is searched by name.
    const std::string text = report::as_text(table, {runner::asked_columns(stdout).value_or(report::kAnyWidth)});
    all += text.substr(text.find('\n') + 1);
  }
  return all;
}

// The listings as the executables gave them, one array.
std::string as_json(const runner::Plan& plan) {
  std::string all = "[";
  for (const runner::PlannedFamily& family : plan.families) {
    all += (all.size() == 1 ? "\n" : ",\n") +
           record::to_json({family.name, family.needs_device(), family.max_wall_s, family.benchmarks});
  }
  return all + "]\n";
}

std::set<std::string> known_families() {
  std::set<std::string> known;
  for (const Section& section : read_sections(explain_texts())) {
    for (const std::string& name : section.names) known.insert(figures::family_of(name));
  }
  return known;
}

// The families of cupel's own that have no executable here, as in a build without CUDA: nothing can list their
// benchmarks.
void say_what_is_missing(const std::vector<runner::Family>& there) {
  std::set<std::string> missing = known_families();
  const std::size_t known = missing.size();
  for (const runner::Family& family : there) missing.erase(family.name);
  const bool are_others = !there.empty() && missing.size() == known;
  if (missing.empty() || are_others) return;
  complain(fmt::format(
      "not built here: {}. cupel explain FAMILY says what they measure; a build with CUDA lists and measures "
      "them, which needs a GPU",
      units::joined(missing)));
}

// The families here; says what there would be where there is none.
std::vector<runner::Family> families_or_words(const Choice& choice) {
  try {
    return families(choice);
  } catch (const std::invalid_argument&) {
    if (!choice.folder) say_what_is_missing({});
    throw;
  }
}

int list(const ListFlags& flags) {
  add_family_advice(flags.choice.folder);
  std::vector<runner::Family> there = families_or_words(flags.choice);
  if (const std::string unknown = unknown_families(flags.choice.families, there); !unknown.empty()) {
    complain(unknown + several_filters(flags.choice.filters));
    return kNothing;
  }
  runner::Settings settings;
  settings.profile = flags.choice.profile.asked().value_or("quick");
  const runner::Selection selection = flags.choice.selection();
  const runner::Plan plan = runner::make_plan(there, settings, selection);
  require_known_advice(selection.advice, there);
  for (const auto& [family, problem] : plan.problems) complain(fmt::format("{}: {}", family, problem));
  const std::vector<std::string>& advice = flags.choice.advice;
  const auto is_told_elsewhere = [](const std::string& id) { return !told_elsewhere(id).empty(); };
  for (const std::string& id : advice | std::views::filter(is_told_elsewhere)) complain(told_elsewhere(id));
  const bool all_told = !advice.empty() && std::ranges::all_of(advice, is_told_elsewhere);
  if (plan.families.empty() && !all_told) {
    if (plan.problems.empty()) complain(nothing_matches(there, settings, selection));
    return plan.problems.empty() ? kNothing : kFailed;
  }
  write_text(flags.output, flags.format == "json" ? as_json(plan) : as_text(plan));
  const bool is_of_all =
      flags.format == "text" && flags.choice.families.empty() && selection.filters.empty() && advice.empty();
  if (is_of_all) say_what_is_missing(there);
  return plan.problems.empty() ? kDone : kFailed;
}

}  // namespace

void add_list(Command& app) {
  Command& command = app.add_subcommand("list", "Name what can be measured");
  ListFlags& flags = command.runs(list);
  add_choice(command, flags.choice);
  command.add_option("--format", flags.format, "text (default) or json")->one_of({"text", "json"});
  add_output_flag(command, flags.output);
  command.examples({{"cupel list gemm --standard", "Names the products of the standard profile"},
                    {"cupel list --advice pin-memory", "Names what is measured for one piece of advice"}});
  command.exits({{kFailed, "a family's executable does not run"}, {kNothing, "nothing matches"}});
}

}  // namespace cupel::cli
