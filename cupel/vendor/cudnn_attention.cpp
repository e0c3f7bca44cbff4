#include "cupel/vendor/cudnn_attention.hpp"

#include <cudnn_frontend.h>

#include <memory>

namespace cupel::vendor {
namespace {

namespace fe = cudnn_frontend;
using fe::graph::Graph;
using fe::graph::Tensor_attributes;

Tensor_attributes rows(const char* name, AttentionTensor uid, const AttentionNode& node,
                       const AttentionStrides& strides) {
  Tensor_attributes attributes;
  attributes.set_name(name)
      .set_uid(uid)
      .set_dim({node.batch, node.heads, node.sequence, node.size})
      .set_stride({strides.batch, strides.head, strides.position, 1})
      .set_data_type(node.type == CUDA_R_16BF ? fe::DataType_t::BFLOAT16 : fe::DataType_t::HALF);
  return attributes;
}

Tensor_attributes statistics(const AttentionNode& node) {
  Tensor_attributes attributes;
  attributes.set_name("stats")
      .set_uid(kAttentionStats)
      .set_dim({node.batch, node.heads, node.sequence, 1})
      .set_stride({node.heads * node.sequence, node.sequence, 1, 1})
      .set_data_type(fe::DataType_t::FLOAT);
  return attributes;
}

void finish(const std::shared_ptr<Tensor_attributes>& result, const Tensor_attributes& as) {
  result->set_name(as.get_name())
      .set_uid(as.get_uid())
      .set_dim(as.get_dim())
      .set_stride(as.get_stride())
      .set_data_type(as.get_data_type())
      .set_output(true);
}

// Attributes of both passes. The mask is aligned to the top left.
template <class Attributes>
Attributes described(const AttentionNode& node, Attributes attributes) {
  attributes.set_attn_scale(static_cast<float>(node.scale));
  if (node.causal) {
    attributes.set_diagonal_alignment(fe::DiagonalAlignment_t::TOP_LEFT).set_diagonal_band_right_bound(0);
  }
  return attributes;
}

void add_forward(Graph& graph, const AttentionNode& node, fe::AttentionImplementation_t implementation) {
  auto attributes = described(node, fe::graph::SDPA_attributes());
  attributes.set_name("attention").set_generate_stats(true).set_implementation(implementation);
  const auto [out, stats] = graph.sdpa(graph.tensor(rows("q", kAttentionQuery, node, node.in)),
                                       graph.tensor(rows("k", kAttentionKey, node, node.in)),
                                       graph.tensor(rows("v", kAttentionValue, node, node.in)), attributes);
  finish(out, rows("out", kAttentionOut, node, node.out));
  finish(stats, statistics(node));
}

void add_backward(Graph& graph, const AttentionNode& node) {
  auto attributes = described(node, fe::graph::SDPA_backward_attributes());
  attributes.set_name("attention_backward");
  const auto [d_q, d_k, d_v] = graph.sdpa_backward(
      graph.tensor(rows("q", kAttentionQuery, node, node.in)), graph.tensor(rows("k", kAttentionKey, node, node.in)),
      graph.tensor(rows("v", kAttentionValue, node, node.in)), graph.tensor(rows("out", kAttentionOut, node, node.out)),
      graph.tensor(rows("d_out", kAttentionOutGradient, node, node.out)), graph.tensor(statistics(node)), attributes);
  finish(d_q, rows("d_q", kAttentionQueryGradient, node, node.in));
  finish(d_k, rows("d_k", kAttentionKeyGradient, node, node.in));
  finish(d_v, rows("d_v", kAttentionValueGradient, node, node.in));
}

CudnnPlan forward_plan(const AttentionNode& node, fe::AttentionImplementation_t implementation) {
  return CudnnPlan([&](Graph& graph) { add_forward(graph, node, implementation); });
}

}  // namespace

// The frontend's own choice of how to describe the operation need not be one that this cuDNN has an engine for here.
CudnnPlan attention_forward(const AttentionNode& node) {
  try {
    return forward_plan(node, fe::AttentionImplementation_t::AUTO);
  } catch (const NotSupported&) {
    return forward_plan(node, fe::AttentionImplementation_t::COMPOSITE);
  }
}

CudnnPlan attention_backward(const AttentionNode& node) {
  return CudnnPlan([&](Graph& graph) { add_backward(graph, node); });
}

}  // namespace cupel::vendor
