#include "cupel/report/compare/rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
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
bool folds(const CompareOptions& options) { return !options.all && is_page(options.format) && options.only.empty(); }

// So many of those that changed are listed.
constexpr std::size_t kMostChanged = 4;

double change_of(const CompareRow& row) {
  double most = std::numeric_limits<double>::infinity();  // what has no ratio is worth a look
  for (const Comparison* one : row.in) {
    if (one != nullptr && one->ratio)
      most = std::isinf(most) ? std::abs(std::log(*one->ratio)) : std::max(most, std::abs(std::log(*one->ratio)));
  }
  return most;
}

bool is_time(const CompareRow& row) { return row.any().metric.empty(); }

bool is_worse(const Comparison& one) { return one.judged && one.verdict == compare::Verdict::slower; }

bool is_across_hosts(const CompareRow& row) {
  return std::ranges::any_of(row.in, [](const Comparison* one) { return one != nullptr && one->across_hosts; });
}

bool is_worse_anywhere(const CompareRow& row) {
  return std::ranges::any_of(row.in, [](const Comparison* one) { return one != nullptr && is_worse(*one); });
}

// The rows with the greatest are shown: SLOWER and WORSE before all others, then any time before a counter, then what
// does not compare two hosts, then what changed by more. Where an order is asked for, the first of it in place of
// these.
using Weight = std::tuple<bool, bool, bool, double>;

Weight weight_of(const CompareRow& row, std::size_t place, Sort order) {
  if (order == Sort::file) return {is_worse_anywhere(row), is_time(row), !is_across_hosts(row), change_of(row)};
  return {is_worse_anywhere(row), false, false, -static_cast<double>(place)};
}

template <class Is>
std::vector<CompareRow> taken(std::vector<CompareRow>& rows, const Is& is) {
  const auto first = std::stable_partition(rows.begin(), rows.end(), std::not_fn(is));
  std::vector<CompareRow> out(first, rows.end());
  rows.erase(first, rows.end());
  return out;
}

// Leaves the rows of the greatest weights.
void shorten_changed(ChosenRows& rows, Sort order) {
  std::vector<Weight> weights;
  for (const CompareRow& row : rows.shown) weights.push_back(weight_of(row, weights.size(), order));
  std::vector<Weight> sorted = weights;
  std::ranges::nth_element(sorted, sorted.begin() + kMostChanged, std::greater());
  std::vector<CompareRow> kept;
  for (std::size_t i = 0; i < weights.size(); ++i)
    (weights[i] <= sorted[kMostChanged] ? rows.further : kept).push_back(std::move(rows.shown[i]));
  rows.shown = std::move(kept);
}

void shorten(ChosenRows& rows, Sort order) {
  rows.one_sided = taken(rows.shown, std::not_fn(compare::is_on_both_sides));
  if (rows.shown.size() > kMostChanged) shorten_changed(rows, order);
}

}  // namespace

ChosenRows chosen_rows(const compare::CompareReport& report, const CompareOptions& options) {
  ChosenRows rows{compare::compared_rows(report, options.only, folds(options)), {}, {}};
  for (std::vector<CompareRow>* some : {&rows.shown, &rows.folded}) sort(*some, options.sort);
  if (options.sort == Sort::file && folds(options)) {
    std::ranges::stable_sort(rows.shown, std::greater(), [](const CompareRow& row) {
      const bool is_on_both = compare::is_on_both_sides(row);
      return std::tuple(is_on_both, !is_across_hosts(row), is_worse_anywhere(row), is_on_both && is_time(row));
    });
  }
  if (folds(options)) shorten(rows, options.sort);
  return rows;
}

const Comparison& telling(const CompareRow& row) {
  const auto weight = [](const Comparison* one) {
    return one == nullptr ? 0 : is_worse(*one) ? 3 : compare::finds_no_change(one->verdict) ? 1 : 2;
  };
  return **std::ranges::max_element(row.in, {}, weight);
}

Badges verdict_badges() {
  using enum compare::Verdict;
  Badges badges{{to_string(faster), Badge::good}, {compare::kBetter, Badge::good}, {compare::kWorse, Badge::bad}};
  for (const compare::Verdict doubt : {inconclusive, added}) badges[to_string(doubt)] = Badge::warn;
  badges[to_string(missing)] = Badge::quiet;  // a gate alone asks for it
  for (const compare::Verdict bad : {slower, failed, throttled, busy, not_comparable, noisier})
    badges[to_string(bad)] = Badge::bad;
  return badges;
}

}  // namespace cupel::report
