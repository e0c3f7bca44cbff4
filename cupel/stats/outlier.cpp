#include "cupel/stats/outlier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "cupel/stats/distribution.hpp"

namespace cupel::stats {
namespace {

struct Moments {
  double mean = 0, sd = 0;
};

Moments moments(std::span<const double> sorted) {
  const double n = static_cast<double>(sorted.size());
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
  double squares = 0;
  for (const double x : sorted) squares += (x - mean) * (x - mean);
  // Equal values have a mean that rounding moves off them.
  const bool equal = sorted.front() == sorted.back();
  return {equal ? sorted.front() : mean, equal || n < 2 ? 0 : std::sqrt(squares / (n - 1))};
}

double z_of(double x, const Moments& of) {
  const double distance = x - of.mean;
  if (distance == 0) return 0;
  return of.sd > 0 ? distance / of.sd : std::copysign(std::numeric_limits<double>::infinity(), distance);
}

// The values that are no outliers: what is left of the sorted sample once the extremes are taken from its ends.
std::span<const double> without_outliers(std::span<const double> sorted, std::span<const double> critical) {
  std::span<const double> rest = sorted, found = sorted;
  for (const double limit : critical) {
    const Moments of = moments(rest);
    if (of.sd == 0) break;
    const double low = of.mean - rest.front(), high = rest.back() - of.mean;
    rest = high >= low ? rest.first(rest.size() - 1) : rest.subspan(1);
    if (std::max(low, high) / of.sd > limit) found = rest;
  }
  return found;
}

}  // namespace

std::vector<double> outlier_critical(std::size_t n, double alpha) {
  if (!(alpha > 0 && alpha < 1)) throw std::invalid_argument("outlier_critical: alpha is not in (0, 1)");
  std::vector<double> critical;
  for (std::size_t i = 0; n >= 3 && i < std::max<std::size_t>(n / 4, 1); ++i) {
    const double left = static_cast<double>(n - i);
    const double t = -student_quantile(alpha / (2 * left), left - 2);
    critical.push_back((left - 1) * t / std::sqrt((left - 2 + t * t) * left));
  }
  return critical;
}

std::vector<Apart> outliers(std::span<const double> sample, std::span<const double> critical) {
  if (sample.empty()) throw std::invalid_argument("outliers: the sample is empty");
  std::vector<double> sorted(sample.begin(), sample.end());
  std::ranges::sort(sorted);
  const std::span<const double> inside = without_outliers(sorted, critical);
  const Moments of = moments(inside);
  std::vector<Apart> found;
  found.reserve(sample.size());
  for (const double x : sample) found.push_back({z_of(x, of), x < inside.front() || x > inside.back()});
  return found;
}

}  // namespace cupel::stats
