// Attention of one head and its gradients in plain C++ and double: the formulas, a loop each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/attention/row_statistics.hpp"

namespace cupel::kernels::attention {

using In = std::span<const double>;
using Out = std::span<double>;

/// Host memory: each array has `sequence` rows of `size` elements. With `causal`, query i sees the keys 0 to i.
struct Head {
  In q, k, v;
  std::int64_t sequence = 0;
  std::int64_t size = 0;
  bool causal = false;
  double scale = 1;

  /// How many keys query i sees.
  std::int64_t seen(std::int64_t i) const { return causal ? i + 1 : sequence; }
};

/// Row i of an array of the head's.
template <class T>
std::span<T> row(std::span<T> array, std::int64_t i, const Head& head) {
  return array.subspan(static_cast<std::size_t>(i * head.size), static_cast<std::size_t>(head.size));
}

double dot(In a, In b);

/// scale q k^T of query i and key j.
double score(const Head& head, std::int64_t i, std::int64_t j);

namespace reference {

/// Row i of the scores' softmax; 0 where the query does not see the key.
std::vector<double> shares(const Head& head, std::int64_t i);

/// out = softmax(scale q k^T) v. Source: Vaswani et al. (2017), "Attention Is All You Need", equation 1.
void forward(const Head& head, Out out);

/// Gradients of forward() for the gradient d_out of its result.
void backward(const Head& head, In d_out, Out d_q, Out d_k, Out d_v);

std::vector<RowStatistics> statistics(const Head& head, In d_out);

}  // namespace reference
}  // namespace cupel::kernels::attention
