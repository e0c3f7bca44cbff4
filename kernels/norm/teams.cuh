// Threads that go through a row together: a part of a warp, or a block.
#pragma once

#include <cuda_runtime.h>

namespace cupel::kernels::norm {

inline constexpr int kWarp = 32;

/// A power of two of neighbouring lanes of a warp. Lanes of teams without a row take part in the joining, too.
struct WarpTeam {
  int threads;

  /// both(a, b) of all threads' values, in each of them. both(a, neutral) is a, and both(a, b) is both(b, a).
  template <class Both>
  __device__ float join(float value, float, const Both& both) const {
    for (int distance = threads / 2; distance > 0; distance /= 2) {
      value = both(value, __shfl_xor_sync(~0u, value, distance));
    }
    return value;
  }
};

/// A block of whole warps.
struct BlockTeam {
  int threads;

  template <class Both>
  __device__ float join(float value, float neutral, const Both& both) const {
    __shared__ float warps[kWarp];
    const WarpTeam warp{kWarp};
    value = warp.join(value, neutral, both);
    const int lane = threadIdx.x % kWarp;
    if (lane == 0) warps[threadIdx.x / kWarp] = value;
    __syncthreads();
    value = warp.join(lane < threads / kWarp ? warps[lane] : neutral, neutral, both);
    __syncthreads();  // `warps` may be used again
    return value;
  }
};

}  // namespace cupel::kernels::norm
