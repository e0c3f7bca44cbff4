#include "cupel/vendor/cudnn_convolution.hpp"

#include <cudnn_frontend.h>

#include <memory>

namespace cupel::vendor {
namespace {

namespace fe = cudnn_frontend;
using fe::graph::Tensor_attributes;
using Tensor = std::shared_ptr<Tensor_attributes>;

fe::DataType_t type_of(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_16F:
      return fe::DataType_t::HALF;
    case CUDA_R_16BF:
      return fe::DataType_t::BFLOAT16;
    case CUDA_R_8F_E4M3:
      return fe::DataType_t::FP8_E4M3;
    default:
      return fe::DataType_t::FLOAT;
  }
}

// Tells the frontend of a tensor, operand or result alike.
void set(Tensor_attributes& attributes, const char* name, ConvolutionTensor uid, const ConvolutionArray& array) {
  attributes.set_name(name)
      .set_uid(uid)
      .set_dim(array.sizes)
      .set_stride(array.strides)
      .set_data_type(type_of(array.type));
}

Tensor operand(fe::graph::Graph& graph, const char* name, ConvolutionTensor uid, const ConvolutionArray& array) {
  Tensor_attributes attributes;
  set(attributes, name, uid, array);
  return graph.tensor(attributes);
}

template <class Attributes>
Attributes described(const ConvolutionNode& node) {
  return Attributes().set_padding(node.padding).set_stride(node.stride).set_dilation(node.dilation);
}

}  // namespace

void add_convolution(fe::graph::Graph& graph, const ConvolutionNode& node) {
  const auto input = [&] { return operand(graph, "input", kConvolutionInput, node.input); };
  const auto filter = [&] { return operand(graph, "filter", kConvolutionFilter, node.filter); };
  const auto output = [&] { return operand(graph, "output", kConvolutionOutput, node.output); };
  const auto finish = [](const Tensor& result, const char* name, ConvolutionTensor uid, const ConvolutionArray& array) {
    set(*result, name, uid, array);
    result->set_output(true);
  };
  switch (node.result) {
    case ConvolutionResult::output:
      finish(graph.conv_fprop(input(), filter(), described<fe::graph::Conv_fprop_attributes>(node)), "output",
             kConvolutionOutput, node.output);
      break;
    case ConvolutionResult::input:
      finish(graph.conv_dgrad(output(), filter(), described<fe::graph::Conv_dgrad_attributes>(node)), "input",
             kConvolutionInput, node.input);
      break;
    case ConvolutionResult::filter:
      finish(graph.conv_wgrad(output(), input(), described<fe::graph::Conv_wgrad_attributes>(node)), "filter",
             kConvolutionFilter, node.filter);
      break;
  }
}

}  // namespace cupel::vendor
