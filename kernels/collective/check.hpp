// Inputs of collectives, and whether what came of them is right: on the device, where a gibibyte takes milliseconds.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/collective/values.hpp"

namespace cupel::kernels::collective {

// All enqueue on `stream`, of the current device, and neither allocate nor synchronise; arrays are device memory of
// that device. count >= 0. They throw CudaError if a launch is refused.

/// out[i] = value(values, rank, first + i).
void fill_values(float* out, std::int64_t count, const Values& values, int rank, std::int64_t first,
                 cudaStream_t stream);

/// The findings of a look at a result. Zeros before the first launch that adds to it.
struct Findings {
  unsigned long long wrong = 0;   ///< elements beyond their bound
  unsigned long long digest = 0;  ///< of all bits and their places: equal on ranks whose results are the same
};

/// Adds what is wrong with a reduction over ranks 0 ... ranks - 1: element i against the sum at place first + i.
void check_sum(const float* in, std::int64_t count, const Values& values, int ranks, std::int64_t first,
               Findings* findings, cudaStream_t stream);

/// The same of data that came unchanged from one rank.
void check_values(const float* in, std::int64_t count, const Values& values, int rank, std::int64_t first,
                  Findings* findings, cudaStream_t stream);

/// Checks sums of values in [0, 1) that were rounded to bf16, summed in any order with roundings to bf16, and widened
/// again.
void check_bf16_sum(const float* in, std::int64_t count, const Values& values, int ranks, std::int64_t first,
                    Findings* findings, cudaStream_t stream);

}  // namespace cupel::kernels::collective
