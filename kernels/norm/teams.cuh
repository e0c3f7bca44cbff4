// Threads that go through a row together: a part of a warp, or a block.
#pragma once

#include <cuda_runtime.h>

namespace cupel::kernels::norm {

inline constexpr int kWarp = 32;

/// A power of two of neighbouring lanes of a warp. Lanes of teams without a row take part in the joining, too.
template <int kThreads>
struct WarpTeam {
  static constexpr int threads = kThreads;

  /// Each of the values becomes both(a, b) of all threads' values, in each of them. both(a, neutral) is a, and
  /// both(a, b) is both(b, a).
  template <int kCount, class Both>
  __device__ void join(float (&values)[kCount], float, const Both& both) const {
#pragma unroll
    for (int distance = threads / 2; distance > 0; distance /= 2) {
#pragma unroll
      for (float& value : values) value = both(value, __shfl_xor_sync(~0u, value, distance));
    }
  }
};

/// A block of whole warps.
struct BlockTeam {
  int threads;

  template <int kCount, class Both>
  __device__ void join(float (&values)[kCount], float neutral, const Both& both) const {
    __shared__ float warps[kCount][kWarp];
    const WarpTeam<kWarp> warp;
    warp.join(values, neutral, both);
    const int lane = threadIdx.x % kWarp;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      if (lane == 0) warps[i][threadIdx.x / kWarp] = values[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kCount; ++i) values[i] = lane < threads / kWarp ? warps[i][lane] : neutral;
    warp.join(values, neutral, both);
    __syncthreads();  // `warps` may be used again
  }
};

}  // namespace cupel::kernels::norm
