// All-reduce by kernels that read their peers' memory: for arrays so short that a collective's own steps are most of
// its time. The ladder: one shot, every rank reads all of all ranks; two shots, every rank sums its part of all ranks
// and then reads the parts of the others.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/collective/values.hpp"

namespace cupel::kernels::collective {

inline constexpr int kMostRanks = 8;
inline constexpr int kMostBlocks = 64;  ///< of one rank; each has a flag for each peer

/// A rank's flags in its own device memory: peers write them. Zeros before the first launch on any rank.
struct PeerFlags {
  unsigned arrived[2][kMostBlocks][kMostRanks];
};

/// The arrays of all ranks that a rank's launch needs. Pointers are to memory of each rank's device that all the others
/// may access.
struct PeerArrays {
  const float* in[kMostRanks] = {};
  float* out[kMostRanks] = {};
  PeerFlags* flags[kMostRanks] = {};
  unsigned* epoch = nullptr;  ///< this rank's own, of kMostBlocks numbers, zeros at first: launches so far
  int ranks = 0;
  int rank = 0;
};

/// out[r][i] = sum of in[q][i] over ranks q, in the order of the ranks, on every rank r that launches it; the same bits
/// on all. All ranks must launch it with the same count, at the same time: each waits for the others in the kernel, and
/// ends with a fault of the device if one has not come in 5 seconds. in and out are different arrays. Neither allocates
/// nor synchronises; may be captured.
/// Throws std::invalid_argument on more than kMostRanks ranks, CudaError if the launch is refused.
/// Source: the method of vLLM's and TensorRT-LLM's custom all-reduce kernels.
void one_shot_all_reduce(const PeerArrays& arrays, std::int64_t count, cudaStream_t stream);

/// The same; two shots. Peers read out[r] until all ranks are done: nothing else may write it before.
void two_shot_all_reduce(const PeerArrays& arrays, std::int64_t count, cudaStream_t stream);

}  // namespace cupel::kernels::collective
