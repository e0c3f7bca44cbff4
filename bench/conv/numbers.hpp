// Operands and result of a convolution in device memory, and what its result shows of how an engine computes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>

#include "bench/conv/graph.hpp"
#include "bench/conv/problem.hpp"
#include "kernels/dot/check.hpp"
#include "kernels/dot/number_buffer.hpp"

namespace cupel::bench::conv {

/// What a look at a result found.
struct Finding {
  kernels::dot::DotErrors errors;
  bool rounds_parts = false;  ///< right, but for partial sums that are rounded to the result's format

  bool passed() const { return errors.passed(); }
};

/// Enqueues the convolution once more, with the same tensors.
using Again = std::function<void(cudaStream_t)>;

/// For one problem after the other: memory grows to the largest. What it holds must be complete when a function is
/// called; each blocks until it is done. Throws OutOfMemory, CudaError.
class Numbers {
 public:
  /// Standard normal operands and a poisoned result. Throws std::invalid_argument if the shape is none.
  void prepare(const Problem& problem, std::uint64_t seed);

  /// The result without a number in it: what is not written afterwards is seen.
  void poison();

  Tensors tensors();

  /// Holds `samples` elements of the result, those of `look_seed`, against bound(). One that is beyond it and within
  /// bound_of_rounded_parts() is right if `again` is exact on operands of -1, 0 and 1 whose partial sums the result's
  /// format has, every one: then it is these that are rounded, and nothing is lost or added twice. Operands are normal
  /// again afterwards; the result is then that of the signs. Throws what `again` does.
  Finding examine(const Notes& notes, std::int64_t samples, std::uint64_t look_seed, const Again& again);

 private:
  kernels::dot::DotErrors errors(const verify::DotBound& bound, double step, std::int64_t samples,
                                 std::uint64_t look_seed);
  bool exact_on_signs(std::int64_t samples, std::uint64_t look_seed, const Again& again);
  void fill_normal();

  Problem problem_;
  std::uint64_t seed_ = 0;
  kernels::dot::NumberBuffer left_, right_, result_;
  kernels::dot::DotChecker checker_;
};

}  // namespace cupel::bench::conv
