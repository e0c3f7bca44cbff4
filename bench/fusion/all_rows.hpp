// Every element that an operation over rows made, held on the device against the same in double. Compiled by nvcc;
// callers need not be.
#pragma once

#include <cuda_runtime.h>

#include "bench/fusion/all_elements.hpp"
#include "kernels/norm/norm.hpp"

namespace cupel::bench::fusion {

/// The value that an element has to have. Arrays are device memory; `in` and `d_out` are as large as the result.
struct Rowwise {
  enum class Kind {
    layer_norm,
    layer_norm_backward,
    rms_norm,
    rms_norm_backward,
    softmax,
    softmax_backward,
    cross_entropy_backward
  };
  Kind kind = Kind::layer_norm;
  const void* in = nullptr;              ///< of the gradient of softmax, its result
  const void* d_out = nullptr;           ///< of gradients
  const void* gamma = nullptr;           ///< of norms, an element a column
  const void* beta = nullptr;            ///< of layer_norm, an element a column
  bool is_fp32 = false;                  ///< gamma and beta are, whatever the others
  double epsilon = 0;                    ///< of norms
  const std::int32_t* labels = nullptr;  ///< of cross_entropy_backward, one a row
  double scale = 1;                      ///< likewise
};

/// How many elements of `out` are farther from what they have to be than absolute + relative times that, and the first
/// of them. Waits. Throws CudaError.
Wrong find_wrong(const Rowwise& right, kernels::DType type, const kernels::norm::Shape& shape, const void* out,
                 double absolute, double relative);

/// Computes the cross entropy of all rows, in double. labels: device memory, one a row; found: likewise. Enqueues;
/// throws CudaError.
void row_losses(kernels::DType type, const void* in, const std::int32_t* labels, const kernels::norm::Shape& shape,
                double* found, cudaStream_t stream);

/// The sum over a row of what two arrays have in the same place multiplied, and that of its squares.
struct RowDot {
  double sum = 0, squares = 0;
};

/// Computes the dots of all rows, in double. found: device memory, one a row. Enqueues; throws CudaError.
void row_dots(kernels::DType type, const void* a, const void* b, const kernels::norm::Shape& shape, RowDot* found,
              cudaStream_t stream);

}  // namespace cupel::bench::fusion
