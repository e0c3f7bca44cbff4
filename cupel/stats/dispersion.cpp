#include "cupel/stats/dispersion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "cupel/stats/quantile.hpp"

namespace cupel::stats {
namespace {

// The level is divided by these for each number of values of a that may be as far out.
constexpr std::array kShares{2.0, 4.0, 4.0};

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

// Chance that of n + m values in random order at most `most` of the n are among the first `first`.
double at_most(double n, double m, double first, std::size_t most) {
  double p = 0;
  for (std::size_t i = 0; i <= most; ++i) {
    const auto of_n = static_cast<double>(i);
    if (of_n > n || first - of_n > m || of_n > first) continue;
    p += std::exp(log_choose(n, of_n) + log_choose(m, first - of_n) - log_choose(n + m, first));
  }
  return p;
}

std::vector<double> distances(std::span<const double> values, double centre) {
  std::vector<double> result;
  for (const double value : values) result.push_back(std::abs(value - centre));
  std::ranges::sort(result, std::greater());
  return result;
}

}  // namespace

double p_farther_out(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  const double centre = quantile_of_sorted(sorted(all), 0.5);
  const std::vector<double> of_a = distances(a, centre), of_b = distances(b, centre);
  double p = 1;
  for (std::size_t spared = 0; spared < kShares.size() && spared < of_a.size(); ++spared) {
    const auto beyond = std::ranges::count_if(of_b, [&](double distance) { return distance > of_a[spared]; });
    const double first = static_cast<double>(beyond) + static_cast<double>(spared);
    p = std::min(
        p, kShares[spared] * at_most(static_cast<double>(a.size()), static_cast<double>(b.size()), first, spared));
  }
  return p;
}

}  // namespace cupel::stats
