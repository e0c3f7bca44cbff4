// Every element of a convolution with a shift and a ReLU behind it, held on the device against the same in double.
// Compiled by nvcc; callers need not be.
#pragma once

#include "bench/fusion/all_elements.hpp"
#include "kernels/common/dtype.hpp"
#include "kernels/dot/convolution.hpp"

namespace cupel::bench::fusion {

/// relu(factor * convolution + shift), a factor and a shift for each channel. Arrays are device memory, channels last;
/// the convolution is two-dimensional, of one group and without dilation.
struct RightConvolution {
  kernels::dot::Convolution shape;
  const void* in = nullptr;
  const void* filter = nullptr;
  const float* factor = nullptr;  ///< null: 1
  const void* shift = nullptr;
  bool is_shift_fp32 = false;  ///< else it has the type of the other arrays
};

/// How many elements of `out` are farther off than about twice what forward() of epilogue_check.hpp allows, and the
/// first of them. It costs as much as the convolution itself in double. Waits. Throws CudaError.
Wrong find_wrong(const RightConvolution& right, kernels::DType type, const void* out);

}  // namespace cupel::bench::fusion
