#include "bench/fusion/cudnn_norm_graph.hpp"

#include <cudnn_frontend.h>

#include <memory>

namespace cupel::bench::fusion {
namespace {

namespace fe = cudnn_frontend;
using fe::graph::Tensor_attributes;
using Tensor = std::shared_ptr<Tensor_attributes>;

// Rows are the outermost dimension, columns the channels of one pixel.
Tensor_attributes matrix(const char* name, NormTensor uid, std::int64_t rows, std::int64_t columns,
                         fe::DataType_t type) {
  Tensor_attributes attributes;
  attributes.set_name(name)
      .set_uid(uid)
      .set_dim({rows, columns, 1, 1})
      .set_stride({columns, 1, columns, columns})
      .set_data_type(type);
  return attributes;
}

Tensor input_of(fe::graph::Graph& graph, const NormGraph& norm) {
  return graph.tensor(matrix("input", kNormInput, norm.rows, norm.columns, fe::DataType_t::HALF));
}

Tensor parameter(fe::graph::Graph& graph, const char* name, NormTensor uid, const NormGraph& norm) {
  return graph.tensor(matrix(name, uid, 1, norm.columns, fe::DataType_t::FLOAT));
}

void finish(const Tensor& output, const NormGraph& norm) {
  const Tensor_attributes as = matrix("output", kNormOutput, norm.rows, norm.columns, fe::DataType_t::HALF);
  output->set_name("output")
      .set_uid(kNormOutput)
      .set_dim(as.get_dim())
      .set_stride(as.get_stride())
      .set_data_type(as.get_data_type())
      .set_output(true);
}

void finish_statistic(const Tensor& statistic, const char* name, NormTensor uid) {
  statistic->set_name(name).set_uid(uid).set_data_type(fe::DataType_t::FLOAT).set_output(true);
}

fe::NormFwdPhase_t phase(const NormGraph& norm) {
  return norm.training ? fe::NormFwdPhase_t::TRAINING : fe::NormFwdPhase_t::INFERENCE;
}

}  // namespace

vendor::CudnnPlan layer_norm_plan(const NormGraph& norm) {
  return vendor::CudnnPlan([&](fe::graph::Graph& graph) {
    Tensor epsilon = graph.tensor(Tensor_attributes(norm.epsilon));
    auto attributes = fe::graph::Layernorm_attributes()
                          .set_name("layer_norm")
                          .set_compute_data_type(fe::DataType_t::FLOAT)
                          .set_forward_phase(phase(norm))
                          .set_epsilon(epsilon);
    const auto [output, mean, inverse_deviation] =
        graph.layernorm(input_of(graph, norm), parameter(graph, "gamma", kNormGamma, norm),
                        parameter(graph, "beta", kNormBeta, norm), attributes);
    finish(output, norm);
    if (!norm.training) return;
    finish_statistic(mean, "mean", kNormMean);
    finish_statistic(inverse_deviation, "inverse_deviation", kNormInverseDeviation);
  });
}

vendor::CudnnPlan rms_norm_plan(const NormGraph& norm) {
  return vendor::CudnnPlan([&](fe::graph::Graph& graph) {
    Tensor epsilon = graph.tensor(Tensor_attributes(norm.epsilon));
    auto attributes = fe::graph::Rmsnorm_attributes()
                          .set_name("rms_norm")
                          .set_compute_data_type(fe::DataType_t::FLOAT)
                          .set_forward_phase(phase(norm))
                          .set_epsilon(epsilon);
    const auto [output, inverse_deviation] =
        graph.rmsnorm(input_of(graph, norm), parameter(graph, "gamma", kNormGamma, norm), attributes);
    finish(output, norm);
    if (norm.training) finish_statistic(inverse_deviation, "inverse_deviation", kNormInverseDeviation);
  });
}

}  // namespace cupel::bench::fusion
