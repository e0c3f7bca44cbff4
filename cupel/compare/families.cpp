// Families of rows as one figure each.
#include <algorithm>
#include <map>

#include "cupel/compare/comparison.hpp"

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

}  // namespace cupel::compare
