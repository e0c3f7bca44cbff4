// A backward pass that is as long as some matrix products, and the all-reduce of its gradients.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/collective/gradients.hpp"
#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::collective {

/// Products of a pass, which are three milliseconds on an H200. Gradients come evenly with them, as many bytes a
/// product.
inline constexpr int kProductsOfAPass = 16;

enum class Overlap { no, yes };

class Backward {
 public:
  /// The gradients must outlive it.
  Backward(const Gradients& gradients, std::vector<Bucket> buckets, Overlap overlap);

  /// Enqueues the products, and each bucket's all-reduce: after all of them, or as soon as its gradients are there.
  void pass();

  /// Whole steps: the next one begins when all sums are there, as an optimizer would want them.
  void steps(int count) { micro_steps(count, 1); }

  /// Passes of which each `every`th reduces, and is waited for; the others leave their gradients where they are.
  void micro_steps(int count, int every);

 private:
  int products_for(std::int64_t ready) const;
  void order(cuda::Stream Rank::*first, cuda::Stream Rank::*then);

  const Gradients& gradients_;
  std::vector<Bucket> buckets_;
  Overlap overlap_;
  std::vector<cuda::Event> events_;  // of each rank: what one of its streams waits for on the other
};

/// Throws CheckFailed unless a step gives exact sums of whole numbers on every rank. Waits.
void require_exact_step(const std::string& model, const std::vector<Bucket>& buckets, Overlap overlap);

}  // namespace cupel::bench::collective
