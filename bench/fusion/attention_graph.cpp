#include "bench/fusion/attention_graph.hpp"

#include <cudnn_frontend.h>

#include <memory>

namespace cupel::bench::fusion {
namespace {

namespace fe = cudnn_frontend;
using fe::graph::Graph;
using fe::graph::Tensor_attributes;

enum Uid : std::int64_t { kQ = 1, kK, kV, kOut, kStats, kDOut, kDQ, kDK, kDV };

fe::DataType_t type_of(const AttentionShape& shape) {
  return shape.type == kernels::DType::bf16 ? fe::DataType_t::BFLOAT16 : fe::DataType_t::HALF;
}

// Rows of `size` elements of all matrices, one behind the other.
Tensor_attributes rows(const char* name, Uid uid, const AttentionShape& shape, std::int64_t size, fe::DataType_t type) {
  const std::int64_t of_matrix = shape.sequence * size;
  Tensor_attributes attributes;
  attributes.set_name(name)
      .set_uid(uid)
      .set_dim({shape.batch, shape.heads, shape.sequence, size})
      .set_stride({shape.heads * of_matrix, of_matrix, size, 1})
      .set_data_type(type);
  return attributes;
}

Tensor_attributes matrix(const char* name, Uid uid, const AttentionShape& shape) {
  return rows(name, uid, shape, shape.size, type_of(shape));
}

Tensor_attributes statistics(const AttentionShape& shape) {
  return rows("stats", kStats, shape, 1, fe::DataType_t::FLOAT);
}

void finish(const std::shared_ptr<Tensor_attributes>& result, const Tensor_attributes& as) {
  result->set_name(as.get_name())
      .set_uid(as.get_uid())
      .set_dim(as.get_dim())
      .set_stride(as.get_stride())
      .set_data_type(as.get_data_type())
      .set_output(true);
}

// What both passes are told. The mask is aligned to the top left: query i sees the keys 0 to i.
template <class Attributes>
Attributes described(const AttentionShape& shape, Attributes attributes) {
  attributes.set_attn_scale(static_cast<float>(shape.scale()));
  if (shape.causal) {
    attributes.set_diagonal_alignment(fe::DiagonalAlignment_t::TOP_LEFT).set_diagonal_band_right_bound(0);
  }
  return attributes;
}

void add_forward(Graph& graph, const AttentionShape& shape, fe::AttentionImplementation_t implementation) {
  auto attributes = described(shape, fe::graph::SDPA_attributes());
  attributes.set_name("attention").set_generate_stats(true).set_implementation(implementation);
  const auto [out, stats] = graph.sdpa(graph.tensor(matrix("q", kQ, shape)), graph.tensor(matrix("k", kK, shape)),
                                       graph.tensor(matrix("v", kV, shape)), attributes);
  finish(out, matrix("out", kOut, shape));
  finish(stats, statistics(shape));
}

void add_backward(Graph& graph, const AttentionShape& shape) {
  auto attributes = described(shape, fe::graph::SDPA_backward_attributes());
  attributes.set_name("attention_backward");
  const auto [d_q, d_k, d_v] =
      graph.sdpa_backward(graph.tensor(matrix("q", kQ, shape)), graph.tensor(matrix("k", kK, shape)),
                          graph.tensor(matrix("v", kV, shape)), graph.tensor(matrix("out", kOut, shape)),
                          graph.tensor(matrix("d_out", kDOut, shape)), graph.tensor(statistics(shape)), attributes);
  finish(d_q, matrix("d_q", kDQ, shape));
  finish(d_k, matrix("d_k", kDK, shape));
  finish(d_v, matrix("d_v", kDV, shape));
}

vendor::CudnnPlan forward_plan(const AttentionShape& shape, fe::AttentionImplementation_t implementation) {
  return vendor::CudnnPlan([&](Graph& graph) { add_forward(graph, shape, implementation); });
}

}  // namespace

// The frontend's own choice of how to describe the operation need not be one that this cuDNN has an engine for here.
vendor::CudnnPlan attention_plan(const AttentionShape& shape, AttentionPass pass) {
  if (pass == AttentionPass::backward) return vendor::CudnnPlan([&](Graph& graph) { add_backward(graph, shape); });
  try {
    return forward_plan(shape, fe::AttentionImplementation_t::AUTO);
  } catch (const vendor::NotSupported&) {
    return forward_plan(shape, fe::AttentionImplementation_t::COMPOSITE);
  }
}

std::unordered_map<std::int64_t, void*> plan_tensors(const AttentionTensors& tensors, AttentionPass pass) {
  std::unordered_map<std::int64_t, void*> by_uid = {
      {kQ, tensors.q}, {kK, tensors.k}, {kV, tensors.v}, {kOut, tensors.out}, {kStats, tensors.stats}};
  if (pass == AttentionPass::backward) {
    by_uid.insert({{kDOut, tensors.d_out}, {kDQ, tensors.d_q}, {kDK, tensors.d_k}, {kDV, tensors.d_v}});
  }
  return by_uid;
}

}  // namespace cupel::bench::fusion
