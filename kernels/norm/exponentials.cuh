// The greatest element of a row and the sum of the exponentials of what lies below it.
#pragma once

#include <type_traits>

#include "kernels/common/smooth.hpp"
#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {

/// x -> e^(x - max), of all x up to a factor that is the same for all. So many elements of 16 bits come in a time
/// that one multiplication and one power are all that there is time for: max / ln 2 is rounded, hence the factor. In
/// float the factor is 1.
template <class T>
class Below {
  static constexpr float kLog2OfE = 1.44269504f, kLogOf2 = 0.693147181f;

 public:
  // Beyond 2^16, where fp16 ends, bf16's numbers are 512 and more apart: of any but the maximum the power is 0.
  __device__ explicit Below(float max)
      : max_(max), factor_(fabsf(max) < 0x1p16f ? kLog2OfE : 1.0f), shift_(max * factor_) {}

  __device__ float operator()(float x) const {
    if constexpr (std::is_same_v<T, float>) {
      return exponential(x - max_);
    } else {
      return power_of_two(fmaf(x, factor_, -shift_));
    }
  }

  /// The factor's logarithm.
  __device__ float log_factor() const {
    return std::is_same_v<T, float> ? 0.0f : fmaf(max_, factor_, -shift_) * kLogOf2;
  }

 private:
  float max_, factor_, shift_;
};

template <class T>
struct Exponentials {
  float max, sum;  ///< sum: of below(x)
  Below<T> below;
};

/// In one pass where the row does not stay: the sum is rescaled whenever the maximum grows.
/// Source: Milakov and Gimelshein (2018), "Online normalizer calculation for softmax", algorithm 3.
template <class Walk, class Row>
__device__ auto exponentials(const Walk& walk, const Row& row) {
  using T = typename Walk::Element;
  constexpr int N = Walk::N;
  float sum = 0;
  if constexpr (Walk::kOnce) {
    const float max = walk.max(walk.greatest(row));
    const Below<T> below(max);
    walk.each(row, [&](int, const float(&x)[N]) {
      for (int e = 0; e < N; ++e) sum += below(x[e]);
    });
    return Exponentials<T>{max, walk.sum(sum), below};
  } else {
    float mine = -INFINITY;
    walk.each(row, [&](int, const float(&x)[N]) {
      float of_pack = x[0];
      for (int e = 1; e < N; ++e) of_pack = fmaxf(of_pack, x[e]);
      if (of_pack > mine) {
        sum *= exponential(mine - of_pack);
        mine = of_pack;
      }
      if (mine == -INFINITY) return;  // nothing yet but what adds nothing
      for (int e = 0; e < N; ++e) sum += exponential(x[e] - mine);
    });
    const float max = walk.max(mine);
    const Below<T> below(max);
    // A thread that saw nothing has a sum of 0, and 0 times exp(-inf) is 0.
    return Exponentials<T>{max, walk.sum(sum * exponential(mine - max)) * exponential(below.log_factor()), below};
  }
}

}  // namespace cupel::kernels::norm
