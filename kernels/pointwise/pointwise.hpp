// Element-wise operations: one kernel each, and several in one pass. Fusing saves the memory traffic between them and
// the launches.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/common/dtype.hpp"
#include "kernels/pointwise/functors.hpp"

namespace cupel::kernels::pointwise {

// All of them enqueue on `stream` and neither allocate nor synchronise. Arrays are device memory of `count` elements of
// `type`, at any multiple of an element's size; count may be 0; out may be one of the inputs, but not overlap it
// otherwise. They compute in fp32 and round once when they store: the result is within one rounding to `type` and the
// few ulp of fp32 that kernels/common/smooth.hpp states of the double reference. They throw std::invalid_argument that
// names a bad argument, and CudaError if the launch is refused.

void add(DType type, const void* a, const void* b, void* out, std::int64_t count, cudaStream_t stream);

void multiply(DType type, const void* a, const void* b, void* out, std::int64_t count, cudaStream_t stream);

/// out[i] = factor * in[i].
void scale(DType type, const void* in, float factor, void* out, std::int64_t count, cudaStream_t stream);

/// out[i] = in[i] in another type, rounded to nearest; beyond its range: infinity.
void cast(DType from, const void* in, DType to, void* out, std::int64_t count, cudaStream_t stream);

/// out[r][c] = in[r][c] + bias[c]; in, out: rows x columns; columns is not 0.
void add_bias(DType type, const void* in, const void* bias, void* out, std::int64_t rows, std::int64_t columns,
              cudaStream_t stream);

void activate(DType type, Activation activation, const void* in, void* out, std::int64_t count, cudaStream_t stream);

/// 0 <= probability < 1. Which elements are dropped depends on seed and place only.
void dropout(DType type, const void* in, float probability, std::uint64_t seed, void* out, std::int64_t count,
             cudaStream_t stream);

/// out = residual + dropout(activation(in + bias)) in one pass; shapes as add_bias().
void bias_activation_residual(DType type, Activation activation, const void* in, const void* bias, const void* residual,
                              float probability, std::uint64_t seed, void* out, std::int64_t rows, std::int64_t columns,
                              cudaStream_t stream);

/// The first `operations` (2 to 8) steps of the chain in one pass.
void chain_fused(DType type, const void* in, const void* other, int operations, void* out, std::int64_t count,
                 cudaStream_t stream);

/// The same, a kernel a step: the first from `in` to `out`, the others in `out`, which must not be `other`.
void chain_unfused(DType type, const void* in, const void* other, int operations, void* out, std::int64_t count,
                   cudaStream_t stream);

}  // namespace cupel::kernels::pointwise
