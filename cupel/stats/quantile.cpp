#include "cupel/stats/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace cupel::stats {

std::vector<double> sorted(std::span<const double> sample) {
  std::vector<double> copy(sample.begin(), sample.end());
  if (std::ranges::any_of(copy, [](double x) { return std::isnan(x); })) {
    throw std::invalid_argument("stats: the sample holds a value that is not a number");
  }
  std::ranges::sort(copy);
  return copy;
}

double quantile_of_sorted(std::span<const double> ascending, double p) {
  if (ascending.empty()) throw std::invalid_argument("stats: quantile of an empty sample");
  const double position = static_cast<double>(ascending.size() - 1) * std::clamp(p, 0.0, 1.0);
  const auto below = static_cast<std::size_t>(position);
  const double low = ascending[below];
  const double high = ascending[std::min(below + 1, ascending.size() - 1)];
  const double fraction = position - static_cast<double>(below);
  // Equal neighbours may be infinite: their difference is then not a number.
  return low == high ? low : low + fraction * (high - low);
}

double quantile(std::span<const double> sample, double p) { return quantile_of_sorted(sorted(sample), p); }

double median(std::span<const double> sample) { return quantile(sample, 0.5); }

std::optional<double> median_if_any(std::span<const double> sample) {
  if (sample.empty()) return std::nullopt;
  return median(sample);
}

}  // namespace cupel::stats
