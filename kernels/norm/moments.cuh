// Mean and variance without a difference of large sums, however far the values lie from zero.
#pragma once

#include "kernels/common/smooth.hpp"

namespace cupel::kernels::norm {

/// Number, mean and sum of squared deviations of some values; zeros of none. Joined as in Chan, Golub and LeVeque
/// (1979).
struct Moments {
  float count, mean, squares;

  /// Of both. The same whichever comes first, so that threads that exchange theirs have the same.
  __device__ friend Moments join(const Moments& a, const Moments& b) {
    const float all = a.count + b.count, inverse = all > 0 ? reciprocal(all) : 0.0f, difference = a.mean - b.mean;
    return {all, (a.count * a.mean + b.count * b.mean) * inverse,
            a.squares + b.squares + difference * difference * (a.count * b.count * inverse)};
  }

  template <int N>
  __device__ void add(const float (&x)[N]) {
    Moments of_pack{N, 0, 0};
#pragma unroll
    for (int e = 0; e < N; ++e) of_pack.mean += x[e];
    of_pack.mean *= 1.0f / N;
#pragma unroll
    for (int e = 0; e < N; ++e) of_pack.squares += (x[e] - of_pack.mean) * (x[e] - of_pack.mean);
    *this = join(*this, of_pack);
  }
};

}  // namespace cupel::kernels::norm
