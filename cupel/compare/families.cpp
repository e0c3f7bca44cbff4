// Families of rows as one figure each.
#include <algorithm>
#include <map>

#include "cupel/compare/comparison.hpp"

namespace cupel::compare {
namespace {

struct Collected {
  FamilySummary summary;
  std::vector<double> ratios;
};

void count(FamilySummary& summary, Verdict verdict) {
  switch (verdict) {
    case Verdict::slower:
      ++summary.slower;
      break;
    case Verdict::faster:
      ++summary.faster;
      break;
    case Verdict::same:
      ++summary.same;
      break;
    case Verdict::inconclusive:
      ++summary.inconclusive;
      break;
    default:
      ++summary.others;
  }
}

void add(Collected& collected, const Comparison& row) {
  count(collected.summary, row.verdict);
  if (!has_figures(row.verdict) || !row.ratio) return;
  collected.ratios.push_back(*row.ratio);
  ++collected.summary.benchmarks;
}

FamilySummary finished(Collected&& collected) {
  if (!collected.ratios.empty()) collected.summary.ratio = stats::bootstrap_geometric_mean(collected.ratios);
  return std::move(collected.summary);
}

}  // namespace

std::vector<FamilySummary> summarise(const std::vector<Comparison>& comparisons) {
  std::vector<Collected> families;
  std::map<std::string, std::size_t> index;
  Collected all;
  all.summary.family = "all";
  for (const Comparison& row : comparisons) {
    if (!row.metric.empty()) continue;
    const auto [found, is_new] = index.emplace(row.family, families.size());
    if (is_new) families.emplace_back().summary.family = row.family;
    add(families[found->second], row);
    add(all, row);
  }
  std::vector<FamilySummary> summaries;
  for (Collected& family : families) summaries.push_back(finished(std::move(family)));
  if (summaries.size() > 1) summaries.push_back(finished(std::move(all)));
  return summaries;
}

}  // namespace cupel::compare
