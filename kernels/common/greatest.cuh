// The greatest of many elements. Those of 16 bits are compared two at once, as they were loaded.
#pragma once

#include <type_traits>

#include "kernels/common/vector.cuh"

namespace cupel::kernels {

/// Two elements in a register, or one where an element is as wide.
template <class T>
using Pair = std::conditional_t<std::is_same_v<T, __half>, __half2,
                                std::conditional_t<std::is_same_v<T, __nv_bfloat16>, __nv_bfloat162, float>>;

__device__ inline float pair_of(float x, float) { return x; }
__device__ inline __half2 pair_of(__half x, __half y) { return {x, y}; }
__device__ inline __nv_bfloat162 pair_of(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }

/// The greater at each place; a number where the other is a NaN.
__device__ inline float greater(float a, float b) { return fmaxf(a, b); }
__device__ inline __half2 greater(__half2 a, __half2 b) { return __hmax2(a, b); }
__device__ inline __nv_bfloat162 greater(__nv_bfloat162 a, __nv_bfloat162 b) { return __hmax2(a, b); }

/// The greatest element of the packs that it has seen, NaNs apart; -inf of none.
template <class T>
class Greatest {
 public:
  template <int N>
  __device__ void see(const Pack<T, N>& pack) {
    constexpr int kStep = sizeof(Pair<T>) / sizeof(T);
    static_assert(N % kStep == 0);
#pragma unroll
    for (int e = 0; e < N; e += kStep) most_ = greater(most_, pair_of(pack.values[e], pack.values[e + kStep - 1]));
  }
  __device__ float value() const {
    if constexpr (std::is_same_v<T, float>) {
      return most_;
    } else {
      return fmaxf(to_float(most_.x), to_float(most_.y));
    }
  }

 private:
  Pair<T> most_ = pair_of(from_float<T>(-INFINITY), from_float<T>(-INFINITY));
};

}  // namespace cupel::kernels
