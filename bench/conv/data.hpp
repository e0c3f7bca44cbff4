// Inputs, result and check of one convolution. The memory is the process's: it grows to the largest and is filled anew
// when another benchmark had it.
#pragma once

#include <cstdint>

#include "bench/conv/graph.hpp"
#include "bench/conv/problem.hpp"
#include "cupel/harness/registry.hpp"
#include "kernels/dot/check.hpp"

namespace cupel::bench::conv {

/// What a look at a result found.
struct Finding {
  kernels::dot::DotErrors errors;
  bool rounds_parts = false;  ///< right only for an engine that keeps partial sums in the result's format

  bool passed() const { return errors.passed(); }
};

class Data {
 public:
  /// Random operands and a poisoned result. Throws Skip where the device lacks the precision, OutOfMemory.
  explicit Data(const Problem& problem);

  const Problem& problem() const { return problem_; }
  Tensors tensors() const;

  /// The result again without a number in it.
  void poison() const;

  /// Sets limit and intensity of the benchmark that runs.
  void hold_against_roof() const;

  /// Computes some elements of the result again, other ones each time.
  Finding glance(const Notes& notes) const;

  /// The same of more elements; sets the benchmark's errors. Throws CheckFailed.
  Finding require_right(const Notes& notes) const;

 private:
  Finding look(const Notes& notes, std::int64_t products) const;

  Problem problem_;
};

/// At least so much device memory, which all plans share; null for 0 bytes. Throws OutOfMemory.
void* workspace(std::int64_t bytes);

/// The most that a plan may have: half of what is free, so that the tensors of other problems still fit.
std::int64_t workspace_available();

/// Gives the workspace back: engines that a search tries may want far more than those that are used.
void release_workspace();

/// A body that is skipped where cuDNN is missing, too old or has nothing for what it asks.
harness::Body guarded(harness::Body body);

}  // namespace cupel::bench::conv
