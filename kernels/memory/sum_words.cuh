// Reading that cannot be left out: words are loaded past L1 and their sum is kept.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace cupel::kernels::memory {

/// A tile is what a block reads in one go: 16 KiB.
inline constexpr int kTileThreads = 256;
inline constexpr int kTileVectors = 4;  // of 16 bytes, of a thread in flight: 128 KiB an SM of eight blocks, several
                                        // times what hides the latency

/// Volatile: of two loads of one address the compiler would make one. Past L1 (.cg), which is another memory.
__device__ inline std::uint32_t sum_of_vector(const uint4* from) {
  std::uint32_t x, y, z, w;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(from));
  return (x + y) + (z + w);
}

/// This thread's part of a tile. from: the tile's vector with the thread's number.
__device__ inline std::uint32_t sum_of_tile(const uint4* from) {
  std::uint32_t part[kTileVectors], sum = 0;
#pragma unroll
  for (int k = 0; k < kTileVectors; ++k) part[k] = sum_of_vector(from + k * kTileThreads);
#pragma unroll
  for (int k = 0; k < kTileVectors; ++k) sum += part[k];
  return sum;
}

/// Adds what the kTileThreads threads of a block have to *sum.
__device__ inline void add_over_block(std::uint32_t value, std::uint32_t* sum) {
  __shared__ std::uint32_t warps[kTileThreads / 32];
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint32_t total = 0;
    for (const std::uint32_t of_warp : warps) total += of_warp;
    atomicAdd(sum, total);
  }
}

}  // namespace cupel::kernels::memory
