// The products that networks compute, as data. Host code only.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace cupel::bench::gemm {

/// c (m x n) = op(a) (m x k) op(b) (k x n), column-major. transpose_a: a is stored k x m; transpose_b: b is stored n x
/// k.
struct Shape {
  std::int64_t m = 1, n = 1, k = 1;
  bool transpose_a = true;
  bool transpose_b = false;

  std::int64_t products() const { return m * n * k; }
  auto operator<=>(const Shape&) const = default;
};

/// m = n = k. The first operand is transposed, as in a linear layer's forward pass, so that all precisions compute the
/// same: fp8 is only there with this layout.
Shape square(std::int64_t n);

/// A linear layer y = x W^T with W out x in and x tokens x in, row-major as frameworks keep them: column-major these
/// are W^T and x^T, and the product is y^T = W x^T with W transposed.
Shape linear(std::int64_t out, std::int64_t in, std::int64_t tokens);

/// dx = dy W and dW = dy^T x of the same layer.
Shape linear_backward_data(std::int64_t out, std::int64_t in, std::int64_t tokens);
Shape linear_backward_filter(std::int64_t out, std::int64_t in, std::int64_t tokens);

/// A linear layer of a transformer, as multiples of its hidden size, or a size that does not depend on it.
struct Layer {
  const char* name;
  std::int64_t out_multiple, in_multiple;
  std::int64_t out_fixed = 0;

  std::int64_t out(std::int64_t hidden) const { return out_fixed != 0 ? out_fixed : out_multiple * hidden; }
  std::int64_t in(std::int64_t hidden) const { return in_multiple * hidden; }
};

/// GPT-2's vocabulary, and the next multiple of 64. Source: Radford et al. (2019), "Language Models are Unsupervised
/// Multitask Learners"; the padding is the usual one, as in nanoGPT.
inline constexpr std::int64_t kVocabulary = 50257;
inline constexpr std::int64_t kPaddedVocabulary = 50304;

/// Multi-head attention with as many key and value heads as queries, and an MLP four times as wide. Source: Vaswani et
/// al. (2017), "Attention Is All You Need", and Brown et al. (2020), "Language Models are Few-Shot Learners",
/// table 2.1.
const std::vector<Layer>& transformer_layers();

/// Throws std::invalid_argument on a name that is not in transformer_layers().
const Layer& transformer_layer(const std::string& name);

}  // namespace cupel::bench::gemm
