#include "bench/fusion/attention_graph.hpp"

#include "cupel/vendor/cudnn_attention.hpp"
#include "kernels/common/cuda_type.hpp"

namespace cupel::bench::fusion {
namespace {

// Matrices of all heads, one behind the other.
vendor::AttentionNode node_of(const AttentionShape& shape) {
  const std::int64_t matrix = shape.sequence * shape.size;
  const vendor::AttentionStrides packed{shape.heads * matrix, matrix, shape.size};
  return {.type = kernels::cuda_type(shape.type),
          .batch = shape.batch,
          .heads = shape.heads,
          .sequence = shape.sequence,
          .size = shape.size,
          .scale = shape.scale(),
          .causal = shape.causal,
          .in = packed,
          .out = packed};
}

}  // namespace

vendor::CudnnPlan attention_plan(const AttentionShape& shape, AttentionPass pass) {
  return pass == AttentionPass::backward ? vendor::attention_backward(node_of(shape))
                                         : vendor::attention_forward(node_of(shape));
}

std::unordered_map<std::int64_t, void*> plan_tensors(const AttentionTensors& tensors, AttentionPass pass) {
  std::unordered_map<std::int64_t, void*> by_uid = {{vendor::kAttentionQuery, tensors.q},
                                                    {vendor::kAttentionKey, tensors.k},
                                                    {vendor::kAttentionValue, tensors.v},
                                                    {vendor::kAttentionOut, tensors.out},
                                                    {vendor::kAttentionStats, tensors.stats}};
  if (pass == AttentionPass::backward) {
    by_uid.insert({{vendor::kAttentionOutGradient, tensors.d_out},
                   {vendor::kAttentionQueryGradient, tensors.d_q},
                   {vendor::kAttentionKeyGradient, tensors.d_k},
                   {vendor::kAttentionValueGradient, tensors.d_v}});
  }
  return by_uid;
}

}  // namespace cupel::bench::fusion
