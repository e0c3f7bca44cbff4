#include "bench/step/convolution.hpp"

#include <cuda_runtime.h>

#include "cupel/harness/memoized.hpp"
#include "cupel/vendor/cudnn_convolution.hpp"
#include "kernels/common/cuda_type.hpp"

namespace cupel::bench::step {
namespace {

using kernels::DType;
using kernels::dot::Pass;
using kernels::dot::Spatial;
using kernels::dot::Strides;
using vendor::ConvolutionResult;

ConvolutionResult result_of(Pass pass) {
  switch (pass) {
    case Pass::backward_data:
      return ConvolutionResult::input;
    case Pass::backward_filter:
      return ConvolutionResult::filter;
    case Pass::forward:
      break;
  }
  return ConvolutionResult::output;
}

vendor::CudnnPlan make_plan_of(const ConvolutionProblem& problem) {
  const kernels::dot::Convolution& shape = problem.shape;
  const kernels::dot::Layouts layouts = layouts_of(problem.layout, shape);
  const auto plane = [](const Spatial& space) { return std::vector<std::int64_t>{space[1], space[2]}; };
  const auto array = [&](std::int64_t outer, std::int64_t channels, const Spatial& space, const Strides& strides) {
    return vendor::ConvolutionArray{{outer, channels, space[1], space[2]},
                                    {strides.outer, strides.channel, strides.space[1], strides.space[2]},
                                    kernels::cuda_type(problem.type)};
  };
  const vendor::ConvolutionNode node{
      .result = result_of(problem.pass),
      .input = array(shape.batch, shape.in_channels, shape.in, layouts.input),
      .filter = array(shape.out_channels, shape.in_channels, shape.filter, layouts.filter),
      .output = array(shape.batch, shape.out_channels, shape.out(), layouts.output),
      .padding = plane(shape.padding),
      .stride = plane(shape.stride),
      .dilation = plane(shape.dilation)};
  const bool wide = problem.type == DType::fp32;
  return vendor::CudnnPlan([&](cudnn_frontend::graph::Graph& graph) { vendor::add_convolution(graph, node); },
                           {.tensor_cores = wide && !problem.tf32, .rounded_sums = wide});
}

}  // namespace

const vendor::CudnnPlan& convolution_plan(const ConvolutionProblem& problem) {
  return harness::memoized<make_plan_of>(problem);
}

}  // namespace cupel::bench::step
