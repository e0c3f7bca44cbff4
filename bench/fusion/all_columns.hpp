// Every element that a batch norm or its gradient made, held on the device against the same in double. Compiled by
// nvcc; callers need not be.
#pragma once

#include <vector>

#include "bench/fusion/all_elements.hpp"
#include "kernels/common/dtype.hpp"
#include "kernels/norm/norm.hpp"

namespace cupel::bench::fusion {

/// The right result. Arrays are device memory; in, d_out and relu_out have the result's shape, the rest an element a
/// column.
struct Columnwise {
  enum class Kind { batch_norm, batch_norm_backward };
  Kind kind = Kind::batch_norm;
  const void* in = nullptr;
  const void* d_out = nullptr;     ///< of gradients
  const void* relu_out = nullptr;  ///< of gradients behind a ReLU, its output; or null
  const float* gamma = nullptr;
  const float* beta = nullptr;      ///< of batch_norm
  const float* mean = nullptr;      ///< where statistics are known, as in inference; else null
  const float* variance = nullptr;  ///< likewise
  bool relu = false;                ///< behind batch_norm
  double epsilon = 0;
};

/// The right values of all columns; of batch_norm the gradients are 0.
struct RightColumns {
  std::vector<double> mean, inverse, d_gamma, d_beta;
};

/// How many elements of `out` are farther from what they have to be than absolute + relative times that, the first of
/// them, and what each column has to be. Waits. Throws CudaError.
struct WrongColumns {
  Wrong wrong;
  RightColumns right;
};
WrongColumns find_wrong(const Columnwise& right, kernels::DType type, const kernels::norm::Shape& shape,
                        const void* out, double absolute, double relative);

}  // namespace cupel::bench::fusion
