// The distance at which a dot product of random numbers may lie from the exact one. A bound for any numbers grows with
// the length until it allows anything: 16384 products in fp16 have none. For independent inputs of mean zero, whose
// sums grow with the square root of the length, far less is right.
#pragma once

#include <cstdint>
#include <limits>

namespace cupel::verify {

/// Returns n u / (1 - n u): the relative error of n roundings in a row is at most this, so also that of a sum of n + 1
/// numbers, in any order, relative to their magnitudes. Throws std::invalid_argument if n u is not below 1: the bound
/// then says nothing. Source: Higham (2002), "Accuracy and Stability of Numerical Algorithms", lemma 3.1 and
/// equation 4.4.
double accumulated_roundoff(double n, double unit);

/// The way in which a dot product is computed. Units are relative: 2^-24 is fp32 that rounds to nearest.
struct DotRounding {
  double input_unit = 0;             ///< each operand is rounded by at most this before it is multiplied; 0: not at all
  double accumulate_unit = 0x1p-24;  ///< greatest relative error of one addition
  bool truncates = false;            ///< additions cut off, so that their errors add up; else they round to nearest
  std::int64_t terms_per_addition = 1;                    ///< products that reach the accumulator together
  std::int64_t chain = 0;                                 ///< products after which the sum moves to fp32; 0: never
  double most = std::numeric_limits<double>::infinity();  ///< upper bound on the relative error of additions that a
                                                          ///< plausible implementation makes
  double output_unit = 0;                                 ///< rounding of the result; 0: it is the accumulator
  double output_absolute = 0;                             ///< rounding of a result that is subnormal
};

/// The errors that are allowed: an element passes within of_magnitude * sum |a_i b_i| + of_value * |exact| + absolute;
/// an array of them passes within `frobenius` of relative Frobenius error.
struct DotBound {
  double of_magnitude = 0;
  double of_value = 0;
  double absolute = 0;
  double frobenius = 0;

  /// Returns the error that an element may have. magnitude: sum |a_i b_i|; exact: the exact result.
  double allowed(double magnitude, double exact) const {
    return of_magnitude * magnitude + of_value * (exact < 0 ? -exact : exact) + absolute;
  }
};

/// Returns the bound for k products of independent standard normal numbers, times any scale. Throws
/// std::invalid_argument unless k and terms_per_addition are 1 or more and chain is 0 or more, or where
/// accumulated_roundoff() does. With n additions of relative error u:
///
/// - partial sums have standard deviation sqrt(k) at most, so n errors of one sign add up to n u sqrt(k), and n
///   independent ones to sqrt(n) u sqrt(k); relative to a result of sqrt(k) that is n u or sqrt(n) u, the bound for the
///   Frobenius norm;
/// - an element may be kDeviations times as far off. |a||b| is (2 / pi) k on average, hence the factor pi / (2
/// sqrt(k));
/// - but never more than `most`;
/// - operands rounded by v each change a result by 2 v sqrt(k), relative 2 v;
/// - never more than the bound for any numbers, which is the smaller one for short products.
///
/// Source: the idea is that of Higham and Mary (2019), "A New Approach to Probabilistic Rounding Error Analysis", here
/// with random inputs instead of random errors, so that it covers accumulators that cut off.
DotBound dot_bound(std::int64_t k, const DotRounding& rounding);

/// The errors of an element that are allowed, in standard deviations: a right element is beyond it less than once in
/// 10^14.
inline constexpr double kDeviations = 8;

}  // namespace cupel::verify
