// A walk along a chain of addresses, each load waiting for the one before: what latency is found with.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/memory/one_block.hpp"
#include "kernels/memory/permutation.hpp"

namespace cupel::kernels::memory {

// All of them enqueue on `stream` and neither allocate nor synchronise. They throw std::invalid_argument that names a
// bad argument, and CudaError if the launch is refused.

/// Makes a cycle of `nodes` places, each with the address of the next: node n is at memory + n * stride_bytes, or at
/// memory + lines[n] * stride_bytes where `lines` (device memory, no number twice) is not null. They follow each other
/// in the order Permutation(nodes, seed). *position (device memory) becomes the address of the first one. memory and
/// stride_bytes are multiples of eight; nodes >= 1.
void make_chain(void* memory, const std::int32_t* lines, std::int64_t nodes, std::int64_t stride_bytes,
                std::uint64_t seed, std::uint64_t* position, cudaStream_t stream);

/// *multiprocessor (device memory) becomes the number of the one that a launch of a single block comes to.
void find_multiprocessor(int* multiprocessor, cudaStream_t stream);

/// One thread on `multiprocessor` (its number) walks `steps` nodes on from *position, each load waiting for the
/// one before, and writes back where it is. A multiprocessor that has walked finds near it what it has read; another
/// one may not. state: see there.
void chase(std::uint64_t* position, std::int64_t steps, int multiprocessor, OneBlock* state, cudaStream_t stream);

}  // namespace cupel::kernels::memory
