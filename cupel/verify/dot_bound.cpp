#include "cupel/verify/dot_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace cupel::verify {
namespace {

constexpr double kHalfPi = 1.5707963267948966;
constexpr double kFp32Truncated = 0x1p-23;
constexpr double kAnyTerms = std::numeric_limits<double>::infinity();

// Relative error of `additions` in a row, in the mean over many results.
double relative_error(double additions, double unit, bool truncates) {
  return unit * (truncates ? additions : std::sqrt(additions));
}

// For any numbers, whatever they are.
double any_error(double k, double unit) { return k * unit < 1 ? accumulated_roundoff(k, unit) : kAnyTerms; }

}  // namespace

double accumulated_roundoff(double n, double unit) {
  const double total = n * unit;
  if (!(total < 1)) {
    throw std::invalid_argument("verify: " + std::to_string(n) + " roundings are too many for an error bound");
  }
  return total / (1 - total);
}

DotBound dot_bound(std::int64_t k, const DotRounding& rounding) {
  if (k < 1 || rounding.terms_per_addition < 1 || rounding.chain < 0) {
    throw std::invalid_argument("dot_bound: k and terms_per_addition must be 1 or more, chain 0 or more");
  }
  const auto terms = static_cast<double>(k);
  const bool chained = rounding.chain > 0 && rounding.chain < k;
  const double in_a_row = chained ? static_cast<double>(rounding.chain) : terms;
  const double additions = std::ceil(in_a_row / static_cast<double>(rounding.terms_per_addition));

  double typical = relative_error(additions, rounding.accumulate_unit, rounding.truncates);
  double any = any_error(in_a_row, rounding.accumulate_unit);
  if (chained) {
    typical += relative_error(terms / in_a_row, kFp32Truncated, true);
    any += any_error(terms / in_a_row, kFp32Truncated);
  }

  typical = std::min(typical, rounding.most);

  const double of_element = kDeviations * kHalfPi / std::sqrt(terms);
  // Nearest: an element's errors are a sum of random ones, of partial sums that may be twice the typical.
  const double spread = rounding.truncates ? 1 : 2;
  DotBound bound;
  bound.of_magnitude = std::min(any, of_element * spread * typical) +
                       2 * rounding.input_unit * std::min(1 + rounding.input_unit, of_element);
  bound.of_value = rounding.output_unit;
  bound.absolute = rounding.output_absolute;
  bound.frobenius = typical + 2 * rounding.input_unit + rounding.output_unit;
  return bound;
}

}  // namespace cupel::verify
