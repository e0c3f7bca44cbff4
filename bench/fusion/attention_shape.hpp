// Attention as it is measured: what is computed on what, and how much work that is. Host code only.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

#include "cupel/record/workload.hpp"
#include "kernels/common/dtype.hpp"

namespace cupel::bench::fusion {

/// Queries, keys, values and results are batch x heads x sequence x size, without gaps: `matrices()` matrices of
/// sequence rows. With `causal`, query i sees the keys 0 to i.
struct AttentionShape {
  kernels::DType type = kernels::DType::fp16;
  std::int64_t batch = 1;
  std::int64_t heads = 1;
  std::int64_t sequence = 1;
  std::int64_t size = 1;  ///< of a head
  bool causal = false;

  std::int64_t matrices() const { return batch * heads; }
  std::int64_t elements() const { return matrices() * sequence * size; }
  std::int64_t bytes() const { return elements() * kernels::size_of(type); }
  std::int64_t scores() const { return matrices() * sequence * sequence; }
  std::int64_t scores_bytes() const { return scores() * kernels::size_of(type); }
  /// A number in fp32 for each query, from which the backward pass makes its shares again.
  std::int64_t stats_bytes() const { return matrices() * sequence * 4; }
  double scale() const { return 1 / std::sqrt(static_cast<double>(size)); }
  auto operator<=>(const AttentionShape&) const = default;
};

enum class AttentionPass { forward, backward };

/// Arrays read and written once; two products of 2 sequence^2 size operations a head forward, half of it where half of
/// the scores is masked, and backward 2.5 times as much: five products, of which the first is the scores' again.
/// Whoever keeps the shares has four to do, and whoever does not heed the mask twice as much: the count is the
/// algorithm's.
inline record::Workload attention_work(const AttentionShape& shape, AttentionPass pass) {
  const std::int64_t forward = 4 * shape.scores() * shape.size / (shape.causal ? 2 : 1);
  if (pass == AttentionPass::forward) {
    return {.bytes_read = 3 * shape.bytes(), .bytes_written = shape.bytes(), .flops = forward};
  }
  return {.bytes_read = 4 * shape.bytes(), .bytes_written = 3 * shape.bytes(), .flops = forward / 2 * 5};
}

/// As in a model 2048 wide, whatever the size of a head, on 16384 tokens: batch 8 with 16 heads of 128 at a sequence of
/// 2048, batch 1 at 16384.
inline AttentionShape attention_shape(kernels::DType type, bool causal, std::int64_t size, std::int64_t sequence) {
  constexpr std::int64_t kWidth = 2048, kTokens = 16384;
  return {type, kTokens / sequence, kWidth / size, sequence, size, causal};
}

/// Device memory of a pass.
struct AttentionTensors {
  void* q = nullptr;
  void* k = nullptr;
  void* v = nullptr;
  void* out = nullptr;
  void* stats = nullptr;  ///< of the fused way only
  void* d_out = nullptr;
  void* d_q = nullptr;
  void* d_k = nullptr;
  void* d_v = nullptr;
};

}  // namespace cupel::bench::fusion
