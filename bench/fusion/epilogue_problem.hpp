// Inputs, ways to compute, workload and check of one product with an operation behind it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/fusion/epilogue_check.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/record/workload.hpp"
#include "kernels/common/dtype.hpp"

namespace cupel::bench::fusion {

/// The work to time: the product and the operation, enqueued as `launches` kernels (a product counts as one), and the
/// algorithm of cuBLASLt that the product takes.
struct Work {
  std::function<void(cudaStream_t)> enqueue;
  int launches = 1;
  std::string algorithm;
};

/// The memory is the family's (arrays.hpp): one problem at a time.
class EpilogueProblem {
 public:
  /// hidden: a multiple of 8. Random inputs and poisoned results. Throws OutOfMemory, CudaError; of relu_gradient,
  /// whose mask cuBLASLt makes, also Unavailable, CublasError and Skip.
  EpilogueProblem(Operation operation, kernels::DType type, std::int64_t hidden, std::int64_t tokens);

  const ProductShape& shape() const { return shape_; }

  /// keeps: leave what the backward pass wants, as separate kernels always do. Results are poisoned. The work must not
  /// outlive the problem. Throws Unavailable, CublasError; Skip where cuBLASLt has nothing for it.
  Work work(Way way, bool keeps) const;

  /// Each operand of the product read once, its result written once; 2 m n k operations.
  record::Workload workload() const;

  /// Sets the limit of the benchmark that runs.
  void set_roof_limit() const;

  /// Computes all elements of the product again on the device, and three blocks of all results on the host, within
  /// bounds half as wide. Throws CheckFailed.
  void require_right(Way way, bool keeps) const;

 private:
  Work separate() const;
  Work fused(bool keeps) const;
  void make_activations() const;
  void require_all(Way way) const;
  void require_block(Way way, bool keeps, std::int64_t row, std::int64_t column) const;
  void require_bias_gradient(Way way) const;
  std::vector<double> block(const void* array, std::int64_t leading, std::int64_t row, std::int64_t rows,
                            std::int64_t column, std::int64_t columns) const;

  Operation operation_;
  kernels::DType type_;
  ProductShape shape_;
  float scale_;
};

/// For Definition::memory().
harness::Memory memory_of(Operation operation, kernels::DType type, std::int64_t hidden, std::int64_t tokens);

}  // namespace cupel::bench::fusion
