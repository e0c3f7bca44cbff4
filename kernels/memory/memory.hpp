// The plainest uses of memory there are: what a device's memory gives is found with them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace cupel::kernels::memory {

// All of them enqueue on `stream` and neither allocate nor synchronise. Arrays are device memory of `count` elements at
// any multiple of four bytes; count may be 0. They throw std::invalid_argument that names a bad argument, and CudaError
// if the launch is refused.

/// out[i] = in[i]. Must not overlap. Exact.
void copy(const float* in, float* out, std::int64_t count, cudaStream_t stream);

/// out[i] = value. Exact.
void write(std::uint32_t* out, std::int64_t count, std::uint32_t value, cudaStream_t stream);

/// Reads the array past L1 and adds the sum of all words to *sum (device memory), modulo 2^32.
void read(const std::uint32_t* in, std::int64_t count, std::uint32_t* sum, cudaStream_t stream);

/// out[i] = a[i] + factor * b[i], one rounding. out may be a or b.
void triad(const float* a, const float* b, float factor, float* out, std::int64_t count, cudaStream_t stream);

/// out[i] = in[i * stride], i < count; in has (count - 1) * stride + 1 words; stride >= 1. Exact.
void gather(const std::uint32_t* in, std::int64_t stride, std::uint32_t* out, std::int64_t count, cudaStream_t stream);

}  // namespace cupel::kernels::memory
