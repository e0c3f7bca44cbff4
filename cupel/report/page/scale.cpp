#include "cupel/report/page/scale.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cupel::report::html {
namespace {

double largest(const std::vector<double>& values) { return values.empty() ? 0 : *std::ranges::max_element(values); }

// 1, 2 or 5 times a power of ten, the smallest that is not below `step`.
double round_up_to_nice(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

double round_up_to_power_of_two(double step) { return std::exp2(std::ceil(std::log2(step) - 1e-9)); }

std::vector<double> linear_values(const Scale& scale, int wanted, Round round) {
  const double least = (scale.high() - scale.low()) / wanted;
  const double step = round == Round::binary ? round_up_to_power_of_two(least) : round_up_to_nice(least);
  const double first = std::ceil(scale.low() / step - 1e-9);
  const double last = std::floor(scale.high() / step + 1e-9);
  std::vector<double> values;
  for (double i = first; i <= last; ++i) values.push_back(i * step);
  return values;
}

std::vector<double> logarithmic_values(const Scale& scale, int wanted) {
  const double decades = std::log10(scale.high()) - std::log10(scale.low());
  const int every = std::max(1, static_cast<int>(std::ceil(decades / wanted)));
  const bool between = decades < wanted / 2.0;
  std::vector<double> values;
  const int first = static_cast<int>(std::floor(std::log10(scale.low())));
  const int last = static_cast<int>(std::ceil(std::log10(scale.high())));
  for (int exponent = first; exponent <= last; ++exponent) {
    if ((exponent % every + every) % every != 0) continue;
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor != 1 && !between) continue;
      const double value = factor * std::pow(10.0, exponent);
      if (value >= scale.low() * (1 - 1e-9) && value <= scale.high() * (1 + 1e-9)) values.push_back(value);
    }
  }
  return values;
}

std::vector<double> powers_of_two(const Scale& scale, int wanted) {
  const double first = std::ceil(std::log2(scale.low()) - 1e-9), last = std::floor(std::log2(scale.high()) + 1e-9);
  const double every = std::max(1.0, std::ceil((last - first) / wanted));
  std::vector<double> values;
  for (double exponent = std::ceil(first / every) * every; exponent <= last; exponent += every) {
    values.push_back(std::exp2(exponent));
  }
  return values;
}

}  // namespace

Scale::Scale(Kind kind, double low, double high, double start, double end)
    : kind_(kind), low_(low), high_(high), start_(start), end_(end) {
  const bool is_finite = std::isfinite(low) && std::isfinite(high);
  if (!is_finite || !(low < high) || (kind == Kind::logarithmic && !(low > 0))) {
    throw std::invalid_argument("a scale needs finite low < high, and 0 < low where it is logarithmic");
  }
}

double Scale::at(double value) const {
  const double inside = std::clamp(value, low_, high_);
  const double part = kind_ == Kind::logarithmic
                          ? (std::log(inside) - std::log(low_)) / (std::log(high_) - std::log(low_))
                          : (inside - low_) / (high_ - low_);
  return start_ + part * (end_ - start_);
}

std::vector<double> round_values(const Scale& scale, int wanted, Round round) {
  if (scale.kind() == Scale::Kind::linear) return linear_values(scale, wanted, round);
  return round == Round::binary ? powers_of_two(scale, wanted) : logarithmic_values(scale, wanted);
}

Scale scale_from_zero(const std::vector<double>& values, double start, double end) {
  const double top = largest(values);
  return {Scale::Kind::linear, 0, top > 0 ? top * 1.06 : 1, start, end};
}

Scale scale_near(const std::vector<double>& values, double start, double end) {
  const double top = largest(values);
  if (!(top > 0)) return scale_from_zero(values, start, end);
  constexpr double kLeastSpan = 0.2, kMargin = 0.1;
  const double bottom = *std::ranges::min_element(values), middle = (bottom + top) / 2;
  const double half = std::max((top - bottom) * (0.5 + kMargin), top * kLeastSpan / 2);
  return {Scale::Kind::linear, std::max(0.0, middle - half), middle + half, start, end};
}

bool span_far(const std::vector<double>& values) {
  constexpr double kFar = 30;
  return !values.empty() && largest(values) / *std::ranges::min_element(values) > kFar;
}

Scale scale_around(const std::vector<double>& values, double start, double end) {
  if (values.empty()) return {Scale::Kind::logarithmic, 1, 10, start, end};
  constexpr double kMargin = 1.25, kLeast = 4;
  double low = *std::ranges::min_element(values) / kMargin, high = largest(values) * kMargin;
  if (high / low < kLeast) {
    const double widen = std::sqrt(kLeast / (high / low));
    low /= widen;
    high *= widen;
  }
  return {Scale::Kind::logarithmic, low, high, start, end};
}

}  // namespace cupel::report::html
