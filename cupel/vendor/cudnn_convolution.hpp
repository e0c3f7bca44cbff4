// A convolution in a graph of cuDNN's.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

namespace cudnn_frontend::graph {
class Graph;
}

namespace cupel::vendor {

/// Which of the three tensors is computed from the two others: the output, or the gradient of the input or the filter.
enum class ConvolutionResult { output, input, filter };

/// Uids of the tensors.
enum ConvolutionTensor : std::int64_t { kConvolutionInput = 1, kConvolutionFilter, kConvolutionOutput };

/// Sizes and strides in elements: batch, channels, space; of a filter: output channels, input channels of a group,
/// space. Planes have two axes of space, volumes three.
struct ConvolutionArray {
  std::vector<std::int64_t> sizes, strides;
  cudaDataType_t type = CUDA_R_32F;  ///< fp32, fp16, bf16 or fp8_e4m3
};

struct ConvolutionNode {
  ConvolutionResult result = ConvolutionResult::output;
  ConvolutionArray input, filter, output;
  std::vector<std::int64_t> padding, stride, dilation;  ///< along each axis of space
};

/// Adds the tensors and the convolution; sums in the graph's compute type.
void add_convolution(cudnn_frontend::graph::Graph& graph, const ConvolutionNode& node);

}  // namespace cupel::vendor
