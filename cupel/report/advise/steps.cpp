// What pieces of advice gave to whole training steps, where such were measured: kernels gain more than steps do.
#include <algorithm>
#include <set>

#include "cupel/report/advise/parts.hpp"
#include "cupel/report/text/lists.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

std::string ratio_text(const std::optional<stats::Shift>& gain) {
  return gain ? units::format_fixed(gain->ratio(), 2) + "x" : "";
}

// Changes from what no framework starts with: "fused_optimizer (a kernel for each operation and tensor)".
std::vector<std::string> changes_from_no_default(const std::vector<figures::Waterfall>& steps) {
  std::set<std::string> changes;
  for (const figures::Waterfall& step : steps) {
    for (const figures::Rung* rung : changes_of(step)) {
      const catalogue::CatalogueRow* row = catalogue::built_in().find(catalogue::built_in().made_by(rung->change));
      if (row != nullptr && !row->is_steps_default) changes.insert(rung->change + " (" + row->instead_of + ")");
    }
  }
  return {changes.begin(), changes.end()};
}

}  // namespace

std::vector<const figures::Rung*> changes_of(const figures::Waterfall& step) {
  auto changes = those(step.rungs, [](const figures::Rung& rung) { return rung.gain.has_value(); });
  std::ranges::stable_sort(changes, std::greater(),
                           [](const figures::Rung* rung) { return rung->alone.value_or(*rung->gain).ratio(); });
  return changes;
}

void add_steps(Page& page, const AdvisedFile& file) {
  const std::vector<figures::Waterfall> steps = figures::waterfalls_of(file.figures);
  if (steps.empty()) return;
  page.heading("What pieces gave to the training steps that were measured");
  Table table({left("change"), left("advice", Fold::none, 1), right("added"), right("alone")});
  for (const figures::Waterfall& step : steps) {
    table.group(step.operation + " " + step.where);
    for (const figures::Rung* rung : changes_of(step)) {
      table.row(
          {rung->change, catalogue::built_in().made_by(rung->change), ratio_text(rung->gain), ratio_text(rung->alone)});
    }
  }
  page.table(table);
  page.paragraph(
      "added: time of the step before by that with the change, made after those of the waterfall before it; alone: of "
      "all changes but this one, and those that need it, by that of all. Sorted by alone where that was measured. "
      "Gains alone do not add up, and a kernel's gain is not a step's.");
  if (const std::vector<std::string> changes = changes_from_no_default(steps); !changes.empty())
    page.paragraph("No framework starts with what these replace: " + joined(changes, "; ") + ".");
}

}  // namespace cupel::report
