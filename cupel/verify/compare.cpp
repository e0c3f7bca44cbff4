#include "cupel/verify/compare.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "cupel/verify/tolerance.hpp"

namespace cupel::verify {
namespace {

// Shortest text that reads back as the same value, in no locale.
template <typename T>
std::string text(T value) {
  std::array<char, 64> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

// |actual - expected|, where NaN is infinitely far and equal infinities are not.
template <typename T>
double error_of(T expected, T actual) {
  if (expected == actual) return 0;
  const double difference =
      std::is_integral_v<T> && sizeof(T) == 8
          ? static_cast<double>(expected > actual
                                    ? static_cast<std::uint64_t>(expected) - static_cast<std::uint64_t>(actual)
                                    : static_cast<std::uint64_t>(actual) - static_cast<std::uint64_t>(expected))
          : std::abs(static_cast<double>(actual) - static_cast<double>(expected));
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

template <typename T>
bool same_bits(std::span<const T> a, std::span<const T> b) {
  return std::ranges::equal(std::as_bytes(a), std::as_bytes(b));
}

template <typename T>
bool within_ulps(T expected, T actual, std::uint64_t ulps) {
  if constexpr (std::is_floating_point_v<T>) {
    return ulps > 0 && std::isfinite(expected) && std::isfinite(actual) && ulp_distance(expected, actual) <= ulps;
  } else {
    return false;
  }
}

template <typename T>
std::string describe(T expected, T actual, const std::string& allowed) {
  return "expected " + text(expected) + ", got " + text(actual) + " (off by " + text(error_of(expected, actual)) +
         ", allowed " + allowed + ")";
}

// Compares value by value. passes(i, error) judges one; allowed(i) is the text of what it was judged by.
template <typename T, typename Passes, typename Allowed>
Comparison compare_each(std::span<const T> expected, std::span<const T> actual, const Passes& passes,
                        const Allowed& allowed) {
  if (expected.size() != actual.size()) {
    throw std::invalid_argument("verify: " + text(actual.size()) + " values to compare with " + text(expected.size()));
  }
  Comparison result;
  result.count = expected.size();
  double squared_error = 0;
  double squared_expected = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = error_of(expected[i], actual[i]);
    const auto magnitude = static_cast<double>(expected[i]);
    squared_error += error * error;
    squared_expected += magnitude * magnitude;
    if (error > result.max_absolute_error) {
      result.max_absolute_error = error;
      result.max_at = i;
    }
    if (passes(i, error)) continue;
    ++result.mismatches;
    if (result.first_mismatch) continue;
    result.first_mismatch = i;
    result.detail = describe(expected[i], actual[i], allowed(i));
  }
  if (squared_error > 0) result.relative_frobenius = std::sqrt(squared_error) / std::sqrt(squared_expected);
  if (std::isnan(result.relative_frobenius)) result.relative_frobenius = std::numeric_limits<double>::infinity();
  return result;
}

}  // namespace

std::string Comparison::message() const {
  const std::string summary = "greatest error " + text(max_absolute_error) + " at [" + text(max_at) +
                              "], relative Frobenius norm " + text(relative_frobenius);
  if (passed()) return "all " + text(count) + " values agree; " + summary;
  return text(mismatches) + " of " + text(count) + " values are wrong; first at [" + text(*first_mismatch) +
         "]: " + detail + "; " + summary;
}

template <typename T>
Comparison compare(std::span<const T> expected, std::span<const T> actual, const Tolerance& tolerance) {
  const auto allowance = [&](std::size_t i) {
    return tolerance.absolute + tolerance.relative * std::abs(static_cast<double>(expected[i]));
  };
  const auto passes = [&](std::size_t i, double error) {
    if (expected[i] == actual[i]) return true;
    // The allowance of an infinity may be infinite: it passes by equality only.
    return (std::isfinite(error) && error <= allowance(i)) || within_ulps(expected[i], actual[i], tolerance.ulps);
  };
  const auto allowed = [&](std::size_t i) {
    const std::string absolute = text(allowance(i));
    return tolerance.ulps == 0 ? absolute : absolute + " or " + text(tolerance.ulps) + " ulp";
  };
  return compare_each(expected, actual, passes, allowed);
}

template <typename T>
Comparison compare_within(std::span<const T> expected, std::span<const T> actual, std::span<const double> bounds) {
  if (bounds.size() != expected.size()) {
    throw std::invalid_argument("verify: " + text(bounds.size()) + " bounds for " + text(expected.size()) + " values");
  }
  return compare_each(
      expected, actual,
      [&](std::size_t i, double error) {
        return expected[i] == actual[i] || (std::isfinite(error) && error <= bounds[i]);
      },
      [&](std::size_t i) { return text(bounds[i]); });
}

template <typename T>
Comparison compare_bits(std::span<const T> expected, std::span<const T> actual) {
  return compare_each(
      expected, actual, [&](std::size_t i, double) { return same_bits(expected.subspan(i, 1), actual.subspan(i, 1)); },
      [](std::size_t) { return std::string("no other bits"); });
}

#define CUPEL_INSTANTIATE(T)                                                                              \
  template Comparison compare<T>(std::span<const T>, std::span<const T>, const Tolerance&);               \
  template Comparison compare_within<T>(std::span<const T>, std::span<const T>, std::span<const double>); \
  template Comparison compare_bits<T>(std::span<const T>, std::span<const T>);

CUPEL_INSTANTIATE(float)
CUPEL_INSTANTIATE(double)
CUPEL_INSTANTIATE(std::int32_t)
CUPEL_INSTANTIATE(std::int64_t)
CUPEL_INSTANTIATE(std::uint8_t)
CUPEL_INSTANTIATE(std::uint32_t)
CUPEL_INSTANTIATE(std::uint64_t)

#undef CUPEL_INSTANTIATE

}  // namespace cupel::verify
