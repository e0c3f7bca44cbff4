#include "kernels/reduce/reference.hpp"

#include <algorithm>
#include <cmath>

#include "cupel/verify/dot_bound.hpp"

namespace cupel::kernels::reduce {

const char* to_string(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum_of_squares:
      return "sum_of_squares";
    case Reduction::norm:
      return "norm";
    case Reduction::abs_max:
      return "abs_max";
    case Reduction::found_inf:
      return "found_inf";
    case Reduction::sum:
      break;
  }
  return "sum";
}

double reference::reduce(Reduction reduction, std::span<const double> in) {
  return with_reduction(reduction, [&](auto functor) {
    double total = 0;
    for (const double x : in) total = functor.both(total, functor.of(x));
    return functor.last(total);
  });
}

double error_bound(Reduction reduction, std::span<const double> in) {
  if (reduction == Reduction::abs_max || reduction == Reduction::found_inf) return 0;
  constexpr double unit = 0x1p-24;  // of fp32
  const auto count = static_cast<double>(in.size());
  const double relative = verify::accumulated_roundoff(std::min(count, count / 1024 + 64) + 1, unit);
  double magnitudes = 0;
  for (const double x : in) magnitudes += reduction == Reduction::sum ? std::fabs(x) : x * x;
  // The root halves the relative error and is itself within an ulp.
  if (reduction == Reduction::norm) return (relative / 2 + 2 * unit) * std::sqrt(magnitudes);
  return relative * magnitudes;
}

}  // namespace cupel::kernels::reduce
