// `cupel list`: what there is to measure. Touches no device.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "cli/benchmarks.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/print.hpp"
#include "cli/written.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/report/page/render.hpp"
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
    const std::string text = report::as_text(table, {asked_columns().value_or(report::kAnyWidth)});
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

int list(const ListFlags& flags) {
  add_family_advice(flags.choice.folder);
  std::vector<runner::Family> there = families(flags.choice);
  if (const std::string unknown = unknown_families(flags.choice.families, there); !unknown.empty()) {
    complain(unknown);
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
