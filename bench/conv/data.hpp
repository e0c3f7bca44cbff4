// Inputs, result and check of one convolution. The memory is the process's: it grows to the largest and is filled anew
// when another benchmark had it.
#pragma once

#include <cstdint>

#include "bench/conv/graph.hpp"
#include "bench/conv/numbers.hpp"
#include "bench/conv/problem.hpp"
#include "cupel/harness/registry.hpp"

namespace cupel::bench::conv {

class Data {
 public:
  /// Random operands and a poisoned result. Throws Skip where the device lacks the precision, OutOfMemory.
  explicit Data(const Problem& problem);

  const Problem& problem() const { return problem_; }
  Tensors tensors() const;

  /// The result again without a number in it.
  void poison() const;

  /// Sets limit and intensity of the benchmark that runs.
  void set_roof_limit() const;

  /// Computes some elements of the candidate's result again, other ones each time. The result may be another
  /// afterwards: see Numbers::examine().
  Finding glance(const Graph& graph, const Candidate& candidate) const;

  /// The same of more elements; sets the benchmark's errors. Throws CheckFailed.
  Finding require_right(const Graph& graph, const Candidate& candidate) const;
  Finding require_right(const Notes& notes, const Again& again) const;

 private:
  Again again(const Graph& graph, const Candidate& candidate) const;
  Finding examine(const Notes& notes, std::int64_t products, const Again& again) const;

  Problem problem_;
};

/// At least so much device memory, which all plans share; null for 0 bytes. Throws OutOfMemory.
void* workspace(std::int64_t bytes);

/// The most that a plan may have: half of what is free, so that the tensors of other problems still fit.
std::int64_t workspace_available();

/// Gives the workspace back: engines that a search tries may want far more than those that are used.
void release_workspace();

}  // namespace cupel::bench::conv
