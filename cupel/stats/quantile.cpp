#include "cupel/stats/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace cupel::stats {

namespace {

std::vector<double> numbers(std::span<const double> sample) {
  require_numbers(sample);
  return {sample.begin(), sample.end()};
}

// The place of a quantile among ascending values: between one of them and the next.
struct Place {
  std::size_t below = 0;
  double fraction = 0;

  // Equal neighbours may be infinite: their difference is then not a number.
  double between(double low, double high) const { return low == high ? low : low + fraction * (high - low); }
};

Place place_of(std::size_t size, double p) {
  if (size == 0) throw std::invalid_argument("stats: quantile of an empty sample");
  const double position = static_cast<double>(size - 1) * std::clamp(p, 0.0, 1.0);
  const auto below = static_cast<std::size_t>(position);
  return {below, position - static_cast<double>(below)};
}

}  // namespace

void require_numbers(std::span<const double> sample) {
  if (std::ranges::any_of(sample, [](double x) { return std::isnan(x); })) {
    throw std::invalid_argument("stats: the sample holds a value that is not a number");
  }
}

std::vector<double> sorted(std::span<const double> sample) {
  std::vector<double> copy = numbers(sample);
  std::ranges::sort(copy);
  return copy;
}

double quantile_of_sorted(std::span<const double> ascending, double p) {
  const Place place = place_of(ascending.size(), p);
  return place.between(ascending[place.below], ascending[std::min(place.below + 1, ascending.size() - 1)]);
}

// Sorts no more than it takes to know the two values.
double quantile(std::span<const double> sample, double p) {
  std::vector<double> values = numbers(sample);
  const Place place = place_of(values.size(), p);
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(place.below);
  std::ranges::nth_element(values, low);
  return place.between(*low, low + 1 == values.end() ? *low : *std::min_element(low + 1, values.end()));
}

double median(std::span<const double> sample) { return quantile(sample, 0.5); }

std::optional<double> median_if_any(std::span<const double> sample) {
  if (sample.empty()) return std::nullopt;
  return median(sample);
}

}  // namespace cupel::stats
