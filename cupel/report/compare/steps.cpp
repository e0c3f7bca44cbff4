// Whole training steps beside each other: the rows of a comparison that a buyer looks for.
#include "cupel/report/compare/steps.hpp"

#include <algorithm>
#include <utility>

#include "cupel/figures/pivot.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using compare::Comparison;

// The rows of one step that both sides have, in the order in which changes are added.
struct Step {
  std::string operation, name;
  std::vector<const Comparison*> rows = {};
};

constexpr std::string_view kAdds = "add";

std::string added_change(const figures::Parts& parts) {
  const auto adds = std::ranges::find(parts, kAdds, &figures::Parts::value_type::first);
  return adds == parts.end() ? "" : adds->second;
}

// Steps that do not begin with no change are left out.
std::vector<Step> steps_of(const std::vector<Comparison>& all) {
  std::vector<Step> steps;
  for (const Comparison& row : all) {
    if (!row.metric.empty() || !row.ratio || row.name.find("/add:") == row.name.npos) continue;
    figures::Parts parts = figures::parts_of(row.name);
    const std::string change = added_change(parts);
    if (change.empty()) continue;
    std::erase_if(parts, [](const auto& part) { return part.first == kAdds; });
    const std::string operation = figures::operation_of(row.name), name = figures::text_of(parts);
    auto step =
        std::ranges::find_if(steps, [&](const Step& one) { return one.operation == operation && one.name == name; });
    if (step == steps.end() && change != "nothing") continue;
    if (step == steps.end()) step = steps.insert(steps.end(), {operation, name});
    step->rows.push_back(&row);
  }
  return steps;
}

void add_step(Table& table, const Step& step, const Comparison& row, const char* changes) {
  constexpr std::size_t kLongest = 40;
  std::vector<std::string> cells{step.operation,
                                 step.name,
                                 changes,
                                 compare::value_text(row, row.baseline),
                                 compare::value_text(row, row.contender),
                                 compare::as_fast_text(row),
                                 compare::as_fast_interval_text(row)};
  for (std::string& cell : cells) cell = units::shorten(units::visible(cell), kLongest);
  table.row(std::move(cells));
}

}  // namespace

Table steps_table(const compare::ComparedContender& contender, const std::string& reference_title,
                  const std::string& contender_title) {
  Table table({left("benchmark"), left("step"), left("changes"), right(reference_title), right(contender_title),
               right("speed"), left("interval", Fold::none, 1)});
  for (const Step& step : steps_of(contender.rows)) {
    add_step(table, step, *step.rows.front(), "none");
    if (step.rows.size() > 1) add_step(table, step, *step.rows.back(), "all");
  }
  table.notes = {"speed: time of " + reference_title + " / time of " + contender_title +
                 "; all: with every change that both have, one added to another."};
  return table;
}

}  // namespace cupel::report
