// A model's gradients on every rank, as one flat array, and their sum over all ranks.
#pragma once

#include <cstdint>
#include <string>

#include "bench/collective/arrays.hpp"
#include "bench/collective/buckets.hpp"

namespace cupel::bench::collective {

/// Gradients of "resnet18", "resnet50" or "transformer", which is GPT-2 small, in fp32.
class Gradients {
 public:
  /// Fills them with `values`; the sums are NaN.
  Gradients(const std::string& model, const kernels::collective::Values& values);

  std::int64_t count() const { return count_; }
  std::int64_t bytes() const { return count_ * 4; }
  const Arrays& memory() const { return memory_; }

  /// Enqueues the all-reduce of one bucket on all ranks.
  void reduce(const Bucket& bucket) const;
  void reduce_all() const { reduce({0, count_}); }

  /// As they were made: what comes of later reductions is new.
  void refill() const;

  /// Throws CheckFailed unless every rank has all sums. Waits.
  void require_reduced() const;

 private:
  std::int64_t count_;
  const Arrays& memory_;
  kernels::collective::Values values_;
};

/// Elements of each tensor of such a model.
std::vector<std::int64_t> tensors_of(const std::string& model);
std::int64_t parameters_of(const std::string& model);

}  // namespace cupel::bench::collective
