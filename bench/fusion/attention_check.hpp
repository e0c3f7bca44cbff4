// Rows of attention and its gradients against the formula in double, from the inputs where they lie.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/fusion/attention_shape.hpp"
#include "kernels/attention/rows.hpp"

namespace cupel::bench::fusion {

enum class AttentionWay { unfused, fused };

class AttentionCheck {
 public:
  /// Copies the inputs of one of the matrices. tensors: complete, and not written meanwhile. Throws CudaError.
  AttentionCheck(const AttentionShape& shape, const AttentionTensors& tensors, AttentionWay way, std::int64_t matrix);

  /// Row i of a result, and so on with others.
  void out(std::int64_t i);
  void d_query(std::int64_t i);
  void d_key(std::int64_t i);
  void d_value(std::int64_t i);

  bool passed() const { return wrong_ == 0; }
  /// One line: how many elements are wrong, and the first of them.
  std::string message() const;
  /// Frobenius norm of the error over that of the result, of all that was looked at.
  double relative_error() const;

 private:
  std::vector<double> matrix(const void* tensor) const;
  kernels::attention::Head head() const;
  // Copied, and computed for all queries, when they are first needed.
  const std::vector<double>& d_out();
  const std::vector<kernels::attention::RowStatistics>& statistics();
  void compare(const char* name, const void* tensor, std::int64_t i, const kernels::attention::Row& expected);

  AttentionShape shape_;
  AttentionTensors tensors_;
  kernels::attention::Rounding rounding_;
  std::int64_t first_;  // element of the matrix
  std::vector<double> q_, k_, v_, d_out_;
  std::vector<kernels::attention::RowStatistics> statistics_;
  std::int64_t checked_ = 0, wrong_ = 0;
  double squared_error_ = 0, squared_value_ = 0;
  std::string first_wrong_;
};

/// A checksum of each query's result in all matrices: its product with the query's d_out, which any numbers will do
/// for, against what the formula in double makes of it. Empty, or which is wrong. Waits. Throws CudaError.
std::string wrong_query(const AttentionShape& shape, const AttentionTensors& tensors, AttentionWay way);

/// All elements of the gradients of all matrices, against the formula in fp32. Empty, or how many are wrong and which
/// is the first. Waits. Throws CudaError, CublasError, OutOfMemory.
std::string wrong_gradient(const AttentionShape& shape, const AttentionTensors& tensors, AttentionWay way);

}  // namespace cupel::bench::fusion
