// Kernels over arrays of 32-bit words: fill, compare, copy, compute. Arrays may be device memory or mapped host memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/transfer/pattern.hpp"

namespace cupel::kernels::transfer {

// All of them enqueue on `stream` and neither allocate nor synchronise; count may be 0; they throw CudaError if the
// launch is refused. Results are exact.

/// out[i] = word `first + i` of the pattern.
void fill_pattern(std::uint32_t* out, std::int64_t count, const Pattern& pattern, std::int64_t first,
                  cudaStream_t stream);

/// out[i] = value.
void fill_constant(std::uint32_t* out, std::int64_t count, std::uint32_t value, cudaStream_t stream);

/// Adds to *mismatches (device memory) how many in[i] are not word `first + i` of the pattern.
void count_mismatches(const std::uint32_t* in, std::int64_t count, const Pattern& pattern, std::int64_t first,
                      unsigned long long* mismatches, cudaStream_t stream);

/// out[i] = in[i], with loads and stores of the SMs, not the copy engine. Must not overlap.
void copy_words(const std::uint32_t* in, std::uint32_t* out, std::int64_t count, cudaStream_t stream);

/// out[i] = in[i] after `steps` times kStep: one multiply-add a step, each waiting for the one before; in may be out.
void advance_words(const std::uint32_t* in, std::uint32_t* out, std::int64_t count, int steps, cudaStream_t stream);

}  // namespace cupel::kernels::transfer
