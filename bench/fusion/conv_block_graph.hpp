// A convolution and what stands behind it as one graph of cuDNN: fp16 tensors in NHWC, everything between them in fp32.
#pragma once

#include <compare>
#include <cstdint>

#include "cupel/vendor/cudnn_plan.hpp"
#include "kernels/common/dtype.hpp"
#include "kernels/dot/convolution.hpp"

namespace cupel::bench::fusion {

/// Tensors of the graph, by the uids of CudnnPlan::execute(). factor and shift have an element for each output channel.
enum ConvTensor : std::int64_t { kConvInput = 1, kConvFilter, kConvFactor, kConvShift, kConvOutput };

struct ConvGraph {
  kernels::dot::Convolution shape;  ///< of planes
  bool scales = false;              ///< times a factor, in fp32
  bool shifts = false;              ///< plus a shift, of shift_type
  kernels::DType shift_type = kernels::DType::fp32;
  bool relu = false;
  auto operator<=>(const ConvGraph&) const = default;
};

/// output = relu(factor * convolution(input, filter) + shift), of which only what is asked for. Throws NotSupported,
/// Unavailable, CudnnError.
vendor::CudnnPlan conv_plan(const ConvGraph& graph);

}  // namespace cupel::bench::fusion
