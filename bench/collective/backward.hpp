// A backward pass that is as long as some matrix products, and the all-reduce of its gradients.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/collective/gradients.hpp"
#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::collective {

/// Products of a pass: ten milliseconds of them on an H200, as a real pass has or more. PyTorch's of ResNet-50 takes 12
/// to 35 ms on an H100 with 16 to 256 images, and that of a GPT of twelve blocks 13 to 18 with 1 to 8 sequences of 1024
/// tokens. Gradients come evenly with them, as many bytes a product.
inline constexpr int kProductsOfARealPass = 57;

enum class Overlap { no, yes };

/// Enqueues what sums one bucket up over all ranks.
using Reduce = std::function<void(const Bucket&)>;

class Backward {
 public:
  /// The gradients must outlive it. They are reduced as they are.
  Backward(const Gradients& gradients, std::vector<Bucket> buckets, Overlap overlap, int products);
  /// A pass of so many products, whose buckets `reduce` sums up.
  Backward(std::vector<Bucket> buckets, Overlap overlap, int products, Reduce reduce);

  /// Enqueues the products, and each bucket's all-reduce: after all of them, or as soon as its gradients are there.
  void pass();

  /// Whole steps: the next one begins when all sums are there, as an optimizer would want them.
  void steps(int count) { micro_steps(count, 1); }

  /// Passes of which each `every`th reduces, and is waited for; the others leave their gradients where they are.
  void micro_steps(int count, int every);

 private:
  int products_for(std::int64_t ready) const;
  void order(cuda::Stream Rank::*first, cuda::Stream Rank::*then);

  std::vector<Bucket> buckets_;
  Overlap overlap_;
  int products_;
  Reduce reduce_;
  std::int64_t count_ = 0;           // elements of all buckets
  std::vector<cuda::Event> events_;  // of each rank: what one of its streams waits for on the other
};

/// Throws CheckFailed unless a step gives exact sums of whole numbers on every rank. Waits.
void require_exact_step(const std::string& model, const std::vector<Bucket>& buckets, Overlap overlap, int products);

}  // namespace cupel::bench::collective
