// The backward pass of bias and activation, a kernel an operation.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/common/dtype.hpp"
#include "kernels/pointwise/functors.hpp"

namespace cupel::kernels::pointwise {

// Both enqueue on `stream` and neither allocate nor synchronise. Arrays are device memory of elements of `type`, at any
// multiple of an element's size. They compute in fp32, round once when they store, and throw std::invalid_argument that
// names a bad argument, CudaError if a launch is refused.

/// d_in = d_out times the activation's derivative at `in`, its input (of ReLU the output will do). `count` elements,
/// which may be 0; d_in may be d_out or in, but not overlap them otherwise.
void activation_gradient(DType type, Activation activation, const void* in, const void* d_out, void* d_in,
                         std::int64_t count, cudaStream_t stream);

/// Rows are summed in so many strips, which make enough blocks of few columns.
inline constexpr int kBiasStrips = 64;

/// d_bias[c] = the sum of d_out[r][c] over all rows; of no rows 0. d_out: rows x columns; partial: kBiasStrips x
/// columns floats. Two kernels. The order of summation is fixed: at most rows / kBiasStrips + 73 additions in a row.
void bias_gradient(DType type, const void* d_out, void* d_bias, float* partial, std::int64_t rows, std::int64_t columns,
                   cudaStream_t stream);

}  // namespace cupel::kernels::pointwise
