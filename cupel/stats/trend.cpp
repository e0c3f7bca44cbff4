#include "cupel/stats/trend.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "cupel/stats/distribution.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/null_distribution.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::stats {
namespace {

constexpr std::size_t kExactTrend = 50;

struct Pairs {
  std::ptrdiff_t rising = 0;
  std::ptrdiff_t falling = 0;
  std::vector<double> slopes;
};

Pairs pairs_of(std::span<const double> in_order) {
  Pairs pairs;
  pairs.slopes.reserve(in_order.size() * (in_order.size() - 1) / 2);
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    for (std::size_t j = i + 1; j < in_order.size(); ++j) {
      const double rise = in_order[j] - in_order[i];
      pairs.rising += rise > 0;
      pairs.falling += rise < 0;
      pairs.slopes.push_back(rise / static_cast<double>(j - i));
    }
  }
  return pairs;
}

// Sum over groups of equal values of t (t - 1) (2 t + 5).
double tie_term(std::span<const double> sample) {
  const std::vector<double> ascending = sorted(sample);
  double sum = 0;
  for (auto group = ascending.begin(); group != ascending.end();) {
    const auto end = std::upper_bound(group, ascending.end(), *group);
    const auto t = static_cast<double>(end - group);
    sum += t * (t - 1) * (2 * t + 5);
    group = end;
  }
  return sum;
}

double p_of_trend(std::span<const double> in_order, const Pairs& pairs) {
  const std::ptrdiff_t fewer = std::min(pairs.rising, pairs.falling);
  const bool tied = pairs.rising + pairs.falling < static_cast<std::ptrdiff_t>(pairs.slopes.size());
  if (!tied && in_order.size() <= kExactTrend) {
    return std::min(1.0, 2 * inversions_null(in_order.size()).at_most(fewer));
  }
  const auto n = static_cast<double>(in_order.size());
  const double variance = (n * (n - 1) * (2 * n + 5) - tie_term(in_order)) / 18;
  const auto excess = static_cast<double>(std::abs(pairs.rising - pairs.falling)) - 1;
  return variance > 0 ? std::min(1.0, 2 * normal_cdf(-excess / std::sqrt(variance))) : 1;
}

}  // namespace

double lag1_autocorrelation(std::span<const double> in_order) {
  if (in_order.size() < 3) return 0;
  const double centre = mean(in_order);
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    const double deviation = in_order[i] - centre;
    squares += deviation * deviation;
    if (i > 0) products += deviation * (in_order[i - 1] - centre);
  }
  return squares > 0 ? products / squares : 0;
}

Trend trend(std::span<const double> in_order) {
  if (in_order.size() < 2) return {};
  const Pairs pairs = pairs_of(in_order);
  const auto count = static_cast<double>(pairs.slopes.size());
  return {median(pairs.slopes), static_cast<double>(pairs.rising - pairs.falling) / count, p_of_trend(in_order, pairs)};
}

}  // namespace cupel::stats
