// Families of rows as one figure each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include "cupel/compare/comparison.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::compare {
namespace {

using Rows = std::vector<const Comparison*>;

FamilySummary summary_of(const std::string& family, const Rows& rows) {
  const auto count = [&](Verdict verdict) {
    return static_cast<int>(std::ranges::count(rows, verdict, &Comparison::verdict));
  };
  std::vector<double> ratios;
  for (const Comparison* row : rows) {
    if (has_figures(row->verdict) && row->ratio) ratios.push_back(*row->ratio);
  }
  FamilySummary summary;
  summary.family = family;
  if (!ratios.empty()) summary.ratio = stats::bootstrap_geometric_mean(ratios);
  summary.benchmarks = static_cast<int>(ratios.size());
  summary.slower = count(Verdict::slower);
  summary.faster = count(Verdict::faster);
  summary.same = count(Verdict::same);
  summary.inconclusive = count(Verdict::inconclusive);
  summary.others =
      static_cast<int>(rows.size()) - summary.slower - summary.faster - summary.same - summary.inconclusive;
  return summary;
}

bool is_faster(const FamilySummary& family) {
  return family.ratio && family.ratio->interval.level > 0 && family.ratio->interval.high < 1;
}

bool is_slower(const FamilySummary& family) {
  return family.ratio && family.ratio->interval.level > 0 && family.ratio->interval.low > 1;
}

// "optimizer 1.29x, fusion 1.18x", the furthest first.
std::string families_text(std::vector<const FamilySummary*> families) {
  std::ranges::stable_sort(families, std::ranges::greater{},
                           [](const FamilySummary* family) { return std::abs(std::log(family->ratio->value)); });
  return units::joined(families | std::views::transform([](const FamilySummary* family) {
                         return family->family + " " + speed_text(family->ratio->value);
                       }));
}

}  // namespace

std::vector<FamilySummary> summarise(const std::vector<Comparison>& comparisons) {
  std::vector<std::string> order;
  std::map<std::string, Rows> families;
  Rows all;
  for (const Comparison& row : comparisons) {
    if (!row.metric.empty()) continue;
    Rows& family = families[row.family];
    if (family.empty()) order.push_back(row.family);
    family.push_back(&row);
    all.push_back(&row);
  }
  std::vector<FamilySummary> summaries;
  for (const std::string& family : order) summaries.push_back(summary_of(family, families[family]));
  if (summaries.size() > 1) summaries.push_back(summary_of("all", all));
  return summaries;
}

std::string speed_text(double ratio) { return units::format_fixed(1 / ratio, 2) + "x"; }

std::string faster_words(const std::vector<FamilySummary>& all, const std::string& contender,
                         const std::string& reference) {
  std::vector<FamilySummary> families = all;
  const bool has_sum = families.size() > 1;
  if (has_sum) families.pop_back();
  std::vector<std::string> open;
  for (const FamilySummary& family : families) {
    if (family.ratio && !is_faster(family) && !is_slower(family)) open.push_back(family.family);
  }
  std::string text;
  if (const auto faster = units::filtered(families, is_faster); !faster.empty())
    text = "faster at " + families_text(faster);
  if (const auto slower = units::filtered(families, is_slower); !slower.empty())
    units::append(text, "slower at " + families_text(slower), "; ");
  if (!open.empty()) units::append(text, "no clear difference at " + units::joined(open), "; ");
  if (text.empty()) text = "nothing that both have was measured";
  text = fmt::format("{} against {}, by geometric means: {}.", contender, reference, text);
  if (has_sum && all.back().ratio)
    text += fmt::format(" All {} benchmarks that both have: {}.", all.back().benchmarks,
                        speed_text(all.back().ratio->value));
  return text;
}

}  // namespace cupel::compare
