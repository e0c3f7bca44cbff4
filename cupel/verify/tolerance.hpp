// How far a right result may lie from the exact one, from the precision it was computed in. All bounds are a priori:
// they hold for any order of summation, so also for the one a kernel happens to take.
#pragma once

#include <cstdint>

namespace cupel::verify {

enum class Precision { fp64, fp32, tf32, fp16, bf16, fp8_e4m3, fp8_e5m2 };

/// Greatest relative error of rounding a number in range to nearest: half the distance from 1 to the next number.
double unit_roundoff(Precision precision);

/// n u / (1 - n u): the relative error of n roundings in a row is at most this. Throws std::invalid_argument if n u is
/// not below 1: the bound then says nothing. Source: Higham (2002), "Accuracy and Stability of Numerical Algorithms",
/// lemma 3.1.
double accumulated_roundoff(double n, double unit);

/// Greatest error of a sum of n terms added in `accumulate` in any order, as a multiple of the sum of their magnitudes,
/// rounded to `output` at the end. The terms themselves are taken as exact. Source: Higham (2002), equation 4.4.
double sum_bound(std::int64_t n, Precision accumulate, Precision output);

struct GemmPrecision {
  Precision accumulate = Precision::fp32;
  Precision output = Precision::fp32;
  /// Tensor cores cut sums off where others round, which doubles the error of each addition.
  /// Source: Fasi, Higham, Mikaitis and Pranesh (2021), "Numerical behavior of NVIDIA tensor cores".
  bool tensor_cores = false;
};

/// Greatest error of an element of A B with inner length k, as a multiple of that element of |A| |B|. A and B hold the
/// values as they were multiplied, that is after rounding to the input precision; products are then exact in a wider
/// `accumulate` and round once in the same one. Multiply by |alpha|; beta C adds its own roundings.
/// The bound grows with k; errors seen grow with sqrt(k) (Higham and Mary, 2019), so a right kernel stays far inside
/// it. Source: Higham (2002), equation 3.13.
double gemm_bound(std::int64_t k, const GemmPrecision& precision);

/// Representable numbers from a to b, one of them counted; 0 for equal numbers, +0 and -0 among them. A NaN is as far
/// as can be from everything.
std::uint64_t ulp_distance(float a, float b);
std::uint64_t ulp_distance(double a, double b);

}  // namespace cupel::verify
