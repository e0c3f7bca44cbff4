#include "cupel/verify/compare.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace cupel::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Shortest text that reads back as the same value, in no locale.
template <typename T>
std::string text(T value) {
  std::array<char, 64> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

double infinite_if_nan(double x) { return std::isnan(x) ? kInfinity : x; }

// |actual - expected|, where NaN is infinitely far and equal infinities are not.
double error_of(double expected, double actual) {
  return expected == actual ? 0 : infinite_if_nan(std::abs(actual - expected));
}

std::string describe(double expected, double actual, double allowed) {
  return "expected " + text(expected) + ", got " + text(actual) + " (off by " + text(error_of(expected, actual)) +
         ", allowed " + text(allowed) + ")";
}

}  // namespace

std::string Agreement::message() const {
  const std::string summary = "greatest error " + text(max_absolute_error) + " at [" + text(max_at) +
                              "], relative Frobenius norm " + text(relative_frobenius);
  if (passed()) return "all " + text(count) + " values agree; " + summary;
  return text(mismatches) + " of " + text(count) + " values are wrong; first at [" + text(*first_mismatch) +
         "]: " + detail + "; " + summary;
}

Agreement compare(std::span<const double> expected, std::span<const double> actual, const Tolerance& tolerance) {
  if (expected.size() != actual.size()) {
    throw std::invalid_argument("verify: " + text(actual.size()) + " values to compare with " + text(expected.size()));
  }
  Agreement result;
  result.count = expected.size();
  double squared_error = 0;
  double squared_expected = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = error_of(expected[i], actual[i]);
    squared_error += error * error;
    squared_expected += expected[i] * expected[i];
    if (error > result.max_absolute_error) {
      result.max_absolute_error = error;
      result.max_at = i;
    }
    // The allowance of an infinity may be infinite: it passes by equality only.
    const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected[i]);
    if (error == 0 || (std::isfinite(error) && error <= allowed)) continue;
    ++result.mismatches;
    if (result.first_mismatch) continue;
    result.first_mismatch = i;
    result.detail = describe(expected[i], actual[i], allowed);
  }
  if (squared_error > 0) result.relative_frobenius = std::sqrt(squared_error) / std::sqrt(squared_expected);
  result.relative_frobenius = infinite_if_nan(result.relative_frobenius);
  return result;
}

}  // namespace cupel::verify
