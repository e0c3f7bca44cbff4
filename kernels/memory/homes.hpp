// Where in a divided L2 lines are at home: an atomic operation is done there, whoever asks for it, while what is only
// read is kept near the reader, too. So atomics tell near homes from far ones, and bring a line to its home alone.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/memory/one_block.hpp"

namespace cupel::kernels::memory {

// Both enqueue on `stream` and neither allocate nor synchronise. memory: device memory whose words of eight bytes, one
// at each multiple of stride_bytes (a multiple of eight), stay as they are. state: see OneBlock. They throw
// std::invalid_argument that names a bad argument, and CudaError if the launch is refused.

/// cycles[i] (device memory) becomes what an addition of nothing to the i-th of `lines` words takes one thread on
/// `multiprocessor`, each after the one before: the least of `times` times, so that it is in the cache.
void time_atomics(void* memory, std::int64_t lines, std::int64_t stride_bytes, int times, int multiprocessor,
                  OneBlock* state, std::uint32_t* cycles, cudaStream_t stream);

/// Adds nothing to the words of lines[0] ... lines[count - 1] (device memory), from `multiprocessor`. In an H200 they
/// are then in the half where they are at home, and copies that the other half had of them are no more; seen where
/// `multiprocessor` is in another half than the reader (docs/memory.md).
void bring_home(void* memory, const std::int32_t* lines, std::int64_t count, std::int64_t stride_bytes,
                int multiprocessor, OneBlock* state, cudaStream_t stream);

}  // namespace cupel::kernels::memory
