#include "bench/fusion/conv_block_graph.hpp"

#include <cudnn_frontend.h>

#include <memory>
#include <vector>

namespace cupel::bench::fusion {
namespace {

namespace fe = cudnn_frontend;
using fe::graph::Tensor_attributes;
using kernels::DType;
using kernels::dot::Convolution;
using kernels::dot::Spatial;
using kernels::dot::Strides;
using Tensor = std::shared_ptr<Tensor_attributes>;

fe::DataType_t type_of(DType type) {
  switch (type) {
    case DType::fp16:
      return fe::DataType_t::HALF;
    case DType::bf16:
      return fe::DataType_t::BFLOAT16;
    case DType::fp32:
      break;
  }
  return fe::DataType_t::FLOAT;
}

// Height and width.
std::vector<std::int64_t> plane(const Spatial& space) { return {space[1], space[2]}; }

Tensor_attributes half_tensor(const char* name, ConvTensor uid, std::int64_t outer, std::int64_t channels,
                              const Spatial& space, const Strides& strides) {
  Tensor_attributes attributes;
  attributes.set_name(name)
      .set_uid(uid)
      .set_dim({outer, channels, space[1], space[2]})
      .set_stride({strides.outer, strides.channel, strides.space[1], strides.space[2]})
      .set_data_type(fe::DataType_t::HALF);
  return attributes;
}

// One number for each channel.
Tensor channel_tensor(fe::graph::Graph& graph, const char* name, ConvTensor uid, std::int64_t channels, DType type) {
  return graph.tensor(Tensor_attributes()
                          .set_name(name)
                          .set_uid(uid)
                          .set_dim({1, channels, 1, 1})
                          .set_stride({channels, 1, channels, channels})
                          .set_data_type(type_of(type)));
}

fe::graph::Pointwise_attributes pointwise(const char* name, fe::PointwiseMode_t mode) {
  return fe::graph::Pointwise_attributes().set_name(name).set_mode(mode).set_compute_data_type(fe::DataType_t::FLOAT);
}

void describe(fe::graph::Graph& graph, const ConvGraph& block) {
  const Convolution& shape = block.shape;
  const auto layouts = layouts_of(kernels::dot::Layout::channels_last, shape);
  const Tensor input =
      graph.tensor(half_tensor("input", kConvInput, shape.batch, shape.in_channels, shape.in, layouts.input));
  const Tensor filter = graph.tensor(half_tensor("filter", kConvFilter, shape.out_channels,
                                                 shape.in_channels / shape.groups, shape.filter, layouts.filter));
  Tensor result = graph.conv_fprop(input, filter,
                                   fe::graph::Conv_fprop_attributes()
                                       .set_name("convolution")
                                       .set_padding(plane(shape.padding))
                                       .set_stride(plane(shape.stride))
                                       .set_dilation(plane(shape.dilation))
                                       .set_compute_data_type(fe::DataType_t::FLOAT));
  if (block.scales) {
    const Tensor factor = channel_tensor(graph, "factor", kConvFactor, shape.out_channels, DType::fp32);
    result = graph.pointwise(result, factor, pointwise("scale", fe::PointwiseMode_t::MUL));
  }
  if (block.shifts) {
    const Tensor shift = channel_tensor(graph, "shift", kConvShift, shape.out_channels, block.shift_type);
    result = graph.pointwise(result, shift, pointwise("add", fe::PointwiseMode_t::ADD));
  }
  if (block.relu) result = graph.pointwise(result, pointwise("relu", fe::PointwiseMode_t::RELU_FWD));

  const Tensor_attributes output =
      half_tensor("output", kConvOutput, shape.batch, shape.out_channels, shape.out(), layouts.output);
  result->set_name("output")
      .set_uid(kConvOutput)
      .set_dim(output.get_dim())
      .set_stride(output.get_stride())
      .set_data_type(fe::DataType_t::HALF)
      .set_output(true);
}

}  // namespace

vendor::CudnnPlan conv_plan(const ConvGraph& block) {
  return vendor::CudnnPlan([&](fe::graph::Graph& graph) { describe(graph, block); });
}

}  // namespace cupel::bench::fusion
