// Convolutions of a step: the plan that a framework would take, which is the first of cuDNN's heuristic.
#pragma once

#include <compare>

#include "cupel/vendor/cudnn_plan.hpp"
#include "kernels/common/dtype.hpp"
#include "kernels/dot/convolution.hpp"

namespace cupel::bench::step {

struct ConvolutionProblem {
  kernels::dot::Convolution shape;  ///< of planes
  kernels::dot::Pass pass = kernels::dot::Pass::forward;
  kernels::DType type = kernels::DType::fp32;  ///< of all three tensors
  kernels::dot::Layout layout = kernels::dot::Layout::channels_first;
  bool tf32 = false;  ///< fp32 may be rounded for tensor cores
  auto operator<=>(const ConvolutionProblem&) const = default;
};

/// Made once a process. As PyTorch has it: fp32 without TF32 takes no engine with tensor cores, none takes one that
/// rounds fp32 to a half format, and half formats take any. The uids are those of vendor::ConvolutionTensor. Throws
/// vendor::NotSupported, Unavailable, CudnnError.
const vendor::CudnnPlan& convolution_plan(const ConvolutionProblem& problem);

}  // namespace cupel::bench::step
