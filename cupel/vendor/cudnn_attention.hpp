// Attention as one operation of cuDNN's: forward with the statistics that the backward pass wants, and backward.
#pragma once

#include <cuda_runtime.h>

#include <compare>
#include <cstdint>

#include "cupel/vendor/cudnn_plan.hpp"

namespace cupel::vendor {

/// Uids of the tensors, for CudnnPlan::execute(). Forward: query, key, value -> out, stats. Backward: all those and the
/// gradient of out -> the gradients of query, key and value.
enum AttentionTensor : std::int64_t {
  kAttentionQuery = 1,
  kAttentionKey,
  kAttentionValue,
  kAttentionOut,
  kAttentionStats,  ///< batch x heads x sequence numbers in fp32, without gaps
  kAttentionOutGradient,
  kAttentionQueryGradient,
  kAttentionKeyGradient,
  kAttentionValueGradient
};

/// Elements from one to the next; the `size` numbers of a head at a position lie side by side.
struct AttentionStrides {
  std::int64_t batch = 0, head = 0, position = 0;
  auto operator<=>(const AttentionStrides&) const = default;
};

struct AttentionNode {
  cudaDataType_t type = CUDA_R_16F;  ///< fp16 or bf16
  std::int64_t batch = 1, heads = 1, sequence = 1;
  std::int64_t size = 1;  ///< of a head
  double scale = 1;       ///< of the scores
  bool causal = false;    ///< query i sees the keys 0 to i
  AttentionStrides in;    ///< of queries, keys, values and their gradients
  AttentionStrides out;   ///< of results and their gradient
  auto operator<=>(const AttentionNode&) const = default;
};

/// Throw NotSupported, Unavailable, CudnnError.
CudnnPlan attention_forward(const AttentionNode& node);
CudnnPlan attention_backward(const AttentionNode& node);

}  // namespace cupel::vendor
