// Functors of reductions, for each element, for two results and for the last one: the same for kernels (float),
// reference (double) and Thrust.
#pragma once

#include <cmath>

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::reduce {

enum class Reduction {
  sum,
  sum_of_squares,
  norm,       ///< the square root of the sum of squares
  abs_max,    ///< NaN if there is one
  found_inf,  ///< 1 if an element is infinite or NaN, else 0
};

/// "sum", "sum_of_squares", "norm", "abs_max", "found_inf".
const char* to_string(Reduction reduction);

struct Sum {
  template <class Real>
  CUPEL_HOST_DEVICE static Real of(Real x) {
    return x;
  }
  template <class Real>
  CUPEL_HOST_DEVICE static Real both(Real a, Real b) {
    return a + b;
  }
  template <class Real>
  CUPEL_HOST_DEVICE static Real last(Real x) {
    return x;
  }
};

struct SumOfSquares : Sum {
  template <class Real>
  CUPEL_HOST_DEVICE static Real of(Real x) {
    return x * x;
  }
};

struct Norm : SumOfSquares {
  template <class Real>
  CUPEL_HOST_DEVICE static Real last(Real x) {
    return std::sqrt(x);
  }
};

struct AbsMax : Sum {
  template <class Real>
  CUPEL_HOST_DEVICE static Real of(Real x) {
    return std::fabs(x);
  }
  /// Unlike fmax(), which passes over NaN.
  template <class Real>
  CUPEL_HOST_DEVICE static Real both(Real a, Real b) {
    return a > b || a != a ? a : b;
  }
};

struct FoundInf : AbsMax {
  template <class Real>
  CUPEL_HOST_DEVICE static Real of(Real x) {
    return x - x == Real(0) ? Real(0) : Real(1);  // infinity less infinity is NaN
  }
};

/// Calls function(Sum()), function(SumOfSquares()) ... as named.
template <class Function>
decltype(auto) with_reduction(Reduction reduction, Function&& function) {
  switch (reduction) {
    case Reduction::sum_of_squares:
      return function(SumOfSquares());
    case Reduction::norm:
      return function(Norm());
    case Reduction::abs_max:
      return function(AbsMax());
    case Reduction::found_inf:
      return function(FoundInf());
    case Reduction::sum:
      break;
  }
  return function(Sum());
}

}  // namespace cupel::kernels::reduce
