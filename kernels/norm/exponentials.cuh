// The greatest element of a row and the sum of the exponentials of what lies below it.
#pragma once

#include "kernels/common/smooth.hpp"
#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {

struct Exponentials {
  float max, sum;
};

/// In one pass where the row does not stay: the sum is rescaled whenever the maximum grows.
/// Source: Milakov and Gimelshein (2018), "Online normalizer calculation for softmax", algorithm 3.
template <class Walk, class Row>
__device__ Exponentials exponentials(const Walk& walk, const Row& row) {
  constexpr int N = Walk::N;
  float mine = -INFINITY, sum = 0;
  if constexpr (Walk::kOnce) {
    walk.each(row, [&](int, const float(&x)[N]) {
      for (int e = 0; e < N; ++e) mine = fmaxf(mine, x[e]);
    });
    const float max = walk.max(mine);
    walk.each(row, [&](int, const float(&x)[N]) {
      for (int e = 0; e < N; ++e) sum += exponential(x[e] - max);
    });
    return {max, walk.sum(sum)};
  } else {
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
    // A thread that saw nothing has a sum of 0, and 0 times exp(-inf) is 0.
    return {max, walk.sum(sum * exponential(mine - max))};
  }
}

}  // namespace cupel::kernels::norm
