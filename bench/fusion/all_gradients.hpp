// Every element of attention's gradients, held on the device against the formula in fp32. Compiled by nvcc; callers
// need not be.
#pragma once

#include <string>

#include "bench/fusion/all_elements.hpp"
#include "bench/fusion/attention_shape.hpp"
#include "kernels/attention/weights.hpp"

namespace cupel::bench::fusion {

/// How many elements are farther off than right_gradients.hpp allows, and the first of them.
struct WrongGradients {
  Wrong d_q, d_k, d_v;

  /// Empty, or one line about the first gradient that is wrong.
  std::string message(const AttentionShape& shape) const;
};

/// It costs the eight products of the gradients and their bounds by cuBLAS. Waits. Throws CudaError, CublasError,
/// OutOfMemory.
WrongGradients find_wrong_gradients(const AttentionShape& shape, const AttentionTensors& tensors,
                                    const kernels::attention::Rounding& rounding);

/// Device memory that find_wrong_gradients() takes.
std::int64_t gradient_check_bytes(const AttentionShape& shape);

}  // namespace cupel::bench::fusion
