#include "cupel/stats/effect.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "cupel/stats/distribution.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/null_distribution.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::stats {
namespace {

constexpr std::size_t kExactDifferences = 200;

// The interval for a statistic of mean half the count and this standard deviation, where the exact distribution would
// take too long. Rounded outwards.
Interval approximate_interval(std::span<const double> ascending, double deviation, double level) {
  if (!(level > 0 && level < 1)) throw std::invalid_argument("stats: the level of an interval lies between 0 and 1");
  const auto count = static_cast<double>(ascending.size());
  const double below = 0.5 * count - 0.5 - normal_quantile(0.5 + 0.5 * level) * deviation;
  const auto k = static_cast<std::size_t>(std::clamp(std::floor(below), 0.0, (count - 1) / 2));
  return {ascending[k], ascending[ascending.size() - 1 - k], level};
}

std::vector<double> differences_of(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) throw std::invalid_argument("stats: Hodges-Lehmann shift of an empty sample");
  std::vector<double> all;
  all.reserve(a.size() * b.size());
  for (const double x : a) {
    for (const double y : b) all.push_back(y - x);
  }
  return sorted(all);
}

std::vector<double> walsh_averages(std::span<const double> sample) {
  if (sample.empty()) throw std::invalid_argument("stats: Hodges-Lehmann centre of an empty sample");
  std::vector<double> all;
  all.reserve(sample.size() * (sample.size() + 1) / 2);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    for (std::size_t j = i; j < sample.size(); ++j) all.push_back(0.5 * (sample[i] + sample[j]));
  }
  return sorted(all);
}

}  // namespace

Shift hodges_lehmann(std::span<const double> a, std::span<const double> b, double level) {
  const std::vector<double> all = differences_of(a, b);
  const double centre = quantile_of_sorted(all, 0.5);
  const auto pairs = static_cast<double>(all.size());
  if (pairs <= kExactPairs) return {centre, order_interval(all, *rank_sum_null(a.size(), b.size()), level)};
  const double deviation = std::sqrt(pairs * static_cast<double>(a.size() + b.size() + 1) / 12);
  return {centre, approximate_interval(all, deviation, level)};
}

Shift hodges_lehmann(std::span<const double> differences, double level) {
  const std::vector<double> all = walsh_averages(differences);
  const double centre = quantile_of_sorted(all, 0.5);
  if (differences.size() <= kExactDifferences) {
    return {centre, order_interval(all, *signed_rank_null(differences.size()), level)};
  }
  const auto n = static_cast<double>(differences.size());
  return {centre, approximate_interval(all, std::sqrt(n * (n + 1) * (2 * n + 1) / 24), level)};
}

}  // namespace cupel::stats
