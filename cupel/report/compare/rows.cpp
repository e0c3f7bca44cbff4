#include "cupel/report/compare/rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "cupel/figures/names.hpp"

namespace cupel::report {
namespace {

using compare::CompareRow;
using compare::Comparison;

double worst_ratio(const CompareRow& row) {
  double worst = -std::numeric_limits<double>::infinity();
  for (const Comparison* one : row.in) {
    if (one != nullptr && one->ratio) worst = std::max(worst, *one->ratio);
  }
  return worst;
}

double longest_time(const CompareRow& row) {
  double longest = -1;
  for (const Comparison* one : row.in) {
    if (one == nullptr || !one->metric.empty()) continue;
    longest = std::max({longest, one->baseline.value.value_or(-1), one->contender.value.value_or(-1)});
  }
  return longest;
}

void sort(std::vector<CompareRow>& rows, Sort order) {
  const auto by = [&](const auto& before) { std::ranges::stable_sort(rows, before); };
  switch (order) {
    case Sort::name:
      by([](const CompareRow& a, const CompareRow& b) { return figures::natural_less(a.any().name, b.any().name); });
      break;
    case Sort::ratio:
      by([](const CompareRow& a, const CompareRow& b) { return worst_ratio(a) > worst_ratio(b); });
      break;
    case Sort::time:
      by([](const CompareRow& a, const CompareRow& b) { return longest_time(a) > longest_time(b); });
      break;
    case Sort::file:
      break;
  }
}

// Programs that read the result get every row, and so does who asks for all, or for some verdict.
bool folds(const CompareOptions& options) {
  const bool is_data = options.format == Format::csv || options.format == Format::json;
  return !options.all && !is_data && options.only.empty();
}

// So many are still listed; of rows on one side fewer, where there are more that changed.
constexpr std::size_t kMostOneSided = 10, kMostChanged = 4;

double change_of(const CompareRow& row) {
  double most = std::numeric_limits<double>::infinity();  // what has no ratio is worth a look
  for (const Comparison* one : row.in) {
    if (one != nullptr && one->ratio)
      most = std::isinf(most) ? std::abs(std::log(*one->ratio)) : std::max(most, std::abs(std::log(*one->ratio)));
  }
  return most;
}

bool is_time(const CompareRow& row) { return row.any().metric.empty(); }

// Rows that changed by more are shown before those that changed by less, and any time before a counter.
std::pair<bool, double> weight_of(const CompareRow& row) { return {is_time(row), change_of(row)}; }

template <class Is>
std::vector<CompareRow> taken(std::vector<CompareRow>& rows, const Is& is) {
  const auto first = std::stable_partition(rows.begin(), rows.end(), std::not_fn(is));
  std::vector<CompareRow> out(first, rows.end());
  rows.erase(first, rows.end());
  return out;
}

void shorten(ChosenRows& rows, Sort order) {
  const auto is_one_sided = std::not_fn(compare::is_on_both_sides);
  std::vector<std::pair<bool, double>> weights;
  for (const CompareRow& row : rows.shown) {
    if (compare::is_on_both_sides(row)) weights.push_back(weight_of(row));
  }
  const std::size_t most = weights.size() <= kMostChanged ? kMostOneSided : kMostChanged;
  if (rows.shown.size() - weights.size() > most) rows.one_sided = taken(rows.shown, is_one_sided);
  if (weights.size() <= kMostChanged) return;
  if (order != Sort::file) {
    std::size_t seen = 0;
    std::vector<CompareRow> kept;
    for (CompareRow& row : rows.shown) {
      const bool is_further = compare::is_on_both_sides(row) && ++seen > kMostChanged;
      (is_further ? rows.further : kept).push_back(std::move(row));
    }
    rows.shown = std::move(kept);
    return;
  }
  std::ranges::nth_element(weights, weights.begin() + kMostChanged, std::greater());
  rows.further = taken(rows.shown, [&](const CompareRow& row) {
    return compare::is_on_both_sides(row) && weight_of(row) <= weights[kMostChanged];
  });
}

}  // namespace

ChosenRows chosen_rows(const compare::CompareReport& report, const CompareOptions& options) {
  ChosenRows rows{compare::compared_rows(report, options.only, folds(options)), {}, {}};
  for (std::vector<CompareRow>* some : {&rows.shown, &rows.folded}) sort(*some, options.sort);
  if (options.sort == Sort::file && folds(options)) {
    const auto one_sided = std::ranges::stable_partition(rows.shown, compare::is_on_both_sides);
    std::ranges::stable_partition(rows.shown.begin(), one_sided.begin(), is_time);
  }
  if (folds(options)) shorten(rows, options.sort);
  return rows;
}

Badges verdict_badges() {
  using enum compare::Verdict;
  Badges badges{{to_string(faster), Badge::good}, {compare::kBetter, Badge::good}, {compare::kWorse, Badge::bad}};
  for (const compare::Verdict doubt : {inconclusive, added}) badges[to_string(doubt)] = Badge::warn;
  for (const compare::Verdict bad : {slower, missing, failed, throttled, busy, not_comparable, noisier})
    badges[to_string(bad)] = Badge::bad;
  return badges;
}

}  // namespace cupel::report
