// What pieces of advice gave to whole training steps, where such were measured: kernels gain more than steps do.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/foretell/rules.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/text/escape.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

std::string advice_of(const std::string& change) {
  const auto rule = std::ranges::find(foretell::rules(), change, [](const foretell::Rule& one) { return one.piece; });
  return rule == foretell::rules().end() ? "" : rule->advice;
}

std::string ratio_text(const std::optional<double>& ratio) { return ratio ? units::format_fixed(*ratio, 2) + "x" : ""; }

double of_change(const StepChange& change) { return change.alone.value_or(change.added); }

}  // namespace

std::vector<MeasuredStep> measured_steps(std::span<const figures::Figure> figures) {
  std::vector<MeasuredStep> steps;
  for (const figures::Waterfall& waterfall : figures::waterfalls_of(figures)) {
    MeasuredStep& step = steps.emplace_back(MeasuredStep{waterfall.operation + " " + waterfall.where, {}});
    for (const figures::Rung& rung : waterfall.rungs) {
      if (!rung.gain) continue;
      const auto alone = rung.alone ? std::optional(rung.alone->ratio()) : std::nullopt;
      step.changes.push_back({rung.change, advice_of(rung.change), rung.gain->ratio(), alone});
    }
    std::ranges::stable_sort(step.changes, std::greater(), of_change);
  }
  return steps;
}

void add_steps(Page& page, const AdvisedFile& file) {
  if (file.steps.empty()) return;
  page.heading("What pieces gave to the training steps that were measured");
  Table table({{"change"}, {"advice", Align::left, Fold::none, 1}, {"added", Align::right}, {"alone", Align::right}});
  for (const MeasuredStep& step : file.steps) {
    table.group(escape_text(step.name));
    for (const StepChange& change : step.changes) {
      table.row({escape_text(change.change), change.advice, ratio_text(change.added), ratio_text(change.alone)});
    }
  }
  page.table(table);
  page.paragraph(
      "added: time of the step before by that with the change, made after those of the waterfall before it; alone: of "
      "all changes but this one by that of all. Sorted by alone where that was measured. A kernel's gain is not a "
      "step's.");
}

}  // namespace cupel::report
