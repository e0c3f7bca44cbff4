// Every element that an element-wise operation made, held on the device against the same in double. Compiled by nvcc;
// callers need not be.
#pragma once

#include <cstdint>

#include "kernels/common/dtype.hpp"
#include "kernels/pointwise/functors.hpp"

namespace cupel::bench::fusion {

/// The value that an element has to have. Arrays are device memory, of as many elements as the result.
struct Elementwise {
  enum class Kind { activation, activation_gradient, bias_activation_residual, chain };
  Kind kind = Kind::activation;
  kernels::pointwise::Activation activation = kernels::pointwise::Activation::relu;
  int operations = 0;           ///< of a chain
  const void* in = nullptr;     ///< of a gradient, what the activation read
  const void* other = nullptr;  ///< d_out of a gradient, the residual, the other array of a chain
  const void* bias = nullptr;   ///< of as many elements as there are columns
  std::int64_t columns = 1;
};

/// How many elements of `out` are farther from what they have to be than absolute + relative times that, and the first
/// of them.
struct Wrong {
  std::int64_t elements = 0, first = 0;
};

/// Waits. Throws CudaError, and std::invalid_argument for a chain of another length than 1 to kLongestChain.
Wrong find_wrong(const Elementwise& right, kernels::DType type, const void* out, std::int64_t count, double absolute,
                 double relative);

}  // namespace cupel::bench::fusion
