// Operands and result of a convolution in device memory, and what its result shows of how an engine computes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>

#include "bench/conv/graph.hpp"
#include "bench/conv/problem.hpp"
#include "kernels/dot/check.hpp"
#include "kernels/dot/number_buffer.hpp"

namespace cupel::bench::conv {

/// The outcome of a look at a result.
struct Finding {
  kernels::dot::DotErrors errors;
  bool rounds_parts = false;     ///< its sums are not those of fp32
  bool wrong_otherwise = false;  ///< nor are they right but for that

  bool passed() const { return errors.passed() && !wrong_otherwise; }
  std::string message() const;
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

  /// Holds `samples` elements of the result, those of `look_seed`, against bound(). Where they are beyond it, or
  /// farther off than one rounding of a result in fp16 or bf16, it is asked why, with exact_operands() and `again`. If
  /// sums of whole numbers are those of fp32 to the bit, nothing is lost, and bound_of_one_chain() is enough. If not,
  /// an engine for fp16 or bf16 may round partial sums to the result's format: then it has to be within
  /// bound_of_rounded_parts(), exact where the format has every partial sum, and leave operands as they are. Operands
  /// are normal again afterwards; the result may be of others. Throws what `again` does.
  Finding examine(const Notes& notes, std::int64_t samples, std::uint64_t look_seed, const Again& again);

 private:
  struct Look {
    std::int64_t samples;
    std::uint64_t seed;
  };
  kernels::dot::DotErrors errors(const verify::DotBound& bound, double step, const Look& look);
  kernels::dot::DotErrors errors_of(const kernels::dot::Sparse& left, const kernels::dot::Sparse& right,
                                    const verify::DotBound& bound, const Look& look, const Again& again);
  bool sums_in_fp32(const Look& look, const Again& again);
  bool right_but_for_parts(const Look& look, const Again& again);
  void fill_normal();

  Problem problem_;
  std::uint64_t seed_ = 0;
  kernels::dot::NumberBuffer left_, right_, result_;
  kernels::dot::DotChecker checker_;
};

}  // namespace cupel::bench::conv
