// Rows of which one multiprocessor holds only a part, by the blocks of a cluster: compute capability 9.0 and above.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/norm/rows.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define CUPEL_IN_A_CLUSTER_OF(blocks) __cluster_dims__(blocks, 1, 1)
#else
#define CUPEL_IN_A_CLUSTER_OF(blocks)
#endif

namespace cupel::kernels::norm {

inline constexpr int kClusterBlocks = 8;   // as many as every device that has clusters takes
inline constexpr int kClusterBlock = 256;  // threads
inline constexpr int kBlocksAtOnce = 4;    // of a multiprocessor: 64 registers a thread

/// All threads of a cluster. What they join is written to every block's shared memory.
struct ClusterTeam {
  static constexpr int threads = kClusterBlocks * kClusterBlock;
  /// In a cluster no L1 is left to hold gamma from one pass to the next: it stays beside the row.
  static constexpr bool kKeepsColumns = true;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  // Between join()s a thread has arrived at the cluster's barrier, which says that its block may be written to.
  __device__ ClusterTeam() { cooperative_groups::this_cluster().barrier_arrive(); }
  __device__ void leave() const { cooperative_groups::this_cluster().barrier_wait(); }

  template <int kCount, class Both>
  __device__ void join(float (&values)[kCount], float neutral, const Both& both) const {
    __shared__ float blocks[kCount][kClusterBlocks];
    const auto cluster = cooperative_groups::this_cluster();
    BlockTeam{kClusterBlock}.join(values, neutral, both);
    cluster.barrier_wait();
    if (threadIdx.x < kClusterBlocks) {
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        *cluster.map_shared_rank(&blocks[i][cluster.block_rank()], static_cast<int>(threadIdx.x)) = values[i];
      }
    }
    cluster.sync();
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      values[i] = blocks[i][0];
#pragma unroll
      for (int b = 1; b < kClusterBlocks; ++b) values[i] = both(values[i], blocks[i][b]);
    }
    cluster.barrier_arrive();
  }
#endif
};

/// kept: packs of a thread in shared memory, of each row that the operation goes through at once.
template <class OfThread, class Operation>
__global__ void CUPEL_IN_A_CLUSTER_OF(kClusterBlocks) __launch_bounds__(kClusterBlock, kBlocksAtOnce)
    cluster_kernel(Operation operation, int columns, int kept) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  extern __shared__ uint4 shared[];
  const ClusterTeam team;
  const int thread = static_cast<int>(blockIdx.x % kClusterBlocks * kClusterBlock + threadIdx.x);
  const Walk<typename Operation::Element, OfThread, ClusterTeam> walk(team, thread, columns, columns,
                                                                      {kept, kClusterBlock, shared + threadIdx.x});
  operation(std::int64_t{blockIdx.x / kClusterBlocks}, walk);
  team.leave();
#endif
}

template <class OfThread, class Operation>
void launch_clusters_with(const Operation& operation, const Shape& shape, int kept, std::size_t bytes,
                          cudaStream_t stream) {
  constexpr auto kernel = cluster_kernel<OfThread, Operation>;
  cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  kernel<<<static_cast<unsigned>(shape.rows * kClusterBlocks), kClusterBlock, bytes, stream>>>(
      operation, static_cast<int>(shape.columns), kept);
  cuda::check(cudaGetLastError());
}

/// Rows of more packs than threads in a cluster hold in registers, each kPacks, and of twice as many at most; rows and
/// columns: how many of each the operation goes through at once.
template <int N, int kPacks, class Operation>
void launch_clusters(const Operation& operation, const Shape& shape, int rows, int columns, cudaStream_t stream) {
  const std::int64_t packs = shape.columns / N, threads = ClusterTeam::threads;
  const int kept = static_cast<int>(std::max<std::int64_t>(1, (packs + threads - 1) / threads - kPacks));
  const auto bytes = static_cast<std::size_t>((rows + columns) * kept * kVectorBytes * kClusterBlock);
  if (packs == threads * (kPacks + kept)) {
    launch_clusters_with<Share<N, kPacks, Beyond::kept, true>>(operation, shape, kept, bytes, stream);
  } else {
    launch_clusters_with<Share<N, kPacks, Beyond::kept, false>>(operation, shape, kept, bytes, stream);
  }
}

}  // namespace cupel::kernels::norm
