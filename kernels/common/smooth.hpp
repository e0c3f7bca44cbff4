// Exponential, sigmoid, tanh and normal distribution as kernels want them: in float by the special-function unit, a few
// instructions each, so that what is bound by memory stays so (eight operations on fp16 have 46 instructions an element
// on an H200). In other types, and in float on the host but for the last two, they are the C library's.
#pragma once

#include <cmath>
#include <type_traits>

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels {

/// 2^x. Float on a GPU: within 2 ulp; below 2^-126 it is 0. Source: PTX ISA, "ex2".
template <class Real>
CUPEL_HOST_DEVICE Real power_of_two(Real x) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<Real, float>) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
#endif
  return std::exp2(x);
}

/// 1 / x. Float on a GPU: within 1 ulp; 0 where that is below 2^-126. Source: PTX ISA, "rcp".
template <class Real>
CUPEL_HOST_DEVICE Real reciprocal(Real x) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_same_v<Real, float>) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
#endif
  return Real(1) / x;
}

/// e^x. Float: within 2 + 2 |x| ulp, as x / ln 2 is rounded.
template <class Real>
CUPEL_HOST_DEVICE Real exponential(Real x) {
  if constexpr (std::is_same_v<Real, float>) return power_of_two(x * 1.44269504f);
  return std::exp(x);
}

/// 1 / (1 + e^-x). Float: within 4 + 2 |x| ulp.
template <class Real>
CUPEL_HOST_DEVICE Real sigmoid(Real x) {
  return reciprocal(Real(1) + exponential(-x));
}

/// Float: within 6 ulp, and never beyond 1, by a quotient of polynomials of least relative error on [-8, 8], which are
/// 6e-9 off there; behind 8 it stays what it is there, 1 - 2.4e-7. The exponential alone would leave nothing near
/// 0.
template <class Real>
CUPEL_HOST_DEVICE Real tanh(Real x) {
  if constexpr (std::is_same_v<Real, float>) {
    const float within = x < -8.0f ? -8.0f : x > 8.0f ? 8.0f : x;  // a NaN stays one
    const float square = within * within;
    float above = 1.5230599e-08f, below = 8.52251958e-07f;
    above = std::fma(above, square, 2.1894788e-05f);
    below = std::fma(below, square, 0.00034113045f);
    above = std::fma(above, square, 0.00357160554f);
    below = std::fma(below, square, 0.0261644721f);
    above = std::fma(above, square, 0.134445041f);
    below = std::fma(below, square, 0.467778325f);
    above = std::fma(above, square, 1.0f);
    below = std::fma(below, square, 1.0f);
    return within * above * reciprocal(below);
  }
  return std::tanh(x);
}

/// The standard normal distribution function. Float: within 6 + 2 x^2 ulp where x is negative, as x^2 is rounded, and 6
/// elsewhere: the exponential of -x^2 / 2 times a polynomial in 1 / (1 + 0.3 |x|), which is 5e-8 off at most for |x| up
/// to 10. Its form is that of Abramowitz and Stegun (1964), 7.1.26.
template <class Real>
CUPEL_HOST_DEVICE Real normal_distribution(Real x) {
  if constexpr (std::is_same_v<Real, float>) {
    const float t = reciprocal(std::fma(0.3f, std::fabs(x), 1.0f));
    float sum = 0.0375479795f;
    sum = std::fma(sum, t, -0.165077254f);
    sum = std::fma(sum, t, 0.220084697f);
    sum = std::fma(sum, t, -0.0665239766f);
    sum = std::fma(sum, t, 0.135496199f);
    sum = std::fma(sum, t, 0.097756125f);
    sum = std::fma(sum, t, 0.121111207f);
    sum = std::fma(sum, t, 0.119605042f);
    const float below = sum * t * power_of_two(x * x * -0.72134752f);
    return x < 0 ? below : 1.0f - below;
  }
  return Real(0.5) * std::erfc(x * Real(-0.70710678118654752));
}

}  // namespace cupel::kernels
