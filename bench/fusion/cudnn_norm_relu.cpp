#include "bench/fusion/cudnn_norm_relu.hpp"

#include <cudnn.h>

#include <limits>
#include <stdexcept>

#include "cupel/vendor/cudnn.hpp"
#include "cupel/vendor/handles.hpp"

// This file is about functions that are deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace cupel::bench::fusion {
namespace {

using vendor::check;
using vendor::cudnn_library;
using vendor::CudnnTensor;
using vendor::Entry;

const Entry<decltype(cudnnDeriveBNTensorDescriptor)> derive_tensor(cudnn_library, "cudnnDeriveBNTensorDescriptor");
const Entry<decltype(cudnnCreateActivationDescriptor)> create_activation(cudnn_library,
                                                                         "cudnnCreateActivationDescriptor");
const Entry<decltype(cudnnDestroyActivationDescriptor)> destroy_activation(cudnn_library,
                                                                           "cudnnDestroyActivationDescriptor");
const Entry<decltype(cudnnSetActivationDescriptor)> set_activation(cudnn_library, "cudnnSetActivationDescriptor");
const Entry<decltype(cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize)> workspace_size(
    cudnn_library, "cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize");
const Entry<decltype(cudnnGetBatchNormalizationTrainingExReserveSpaceSize)> reserve_size(
    cudnn_library, "cudnnGetBatchNormalizationTrainingExReserveSpaceSize");
const Entry<decltype(cudnnBatchNormalizationForwardTrainingEx)> forward_training(
    cudnn_library, "cudnnBatchNormalizationForwardTrainingEx");

// The only mode that has an activation; with it cuDNN wants fp16 and NHWC.
constexpr cudnnBatchNormMode_t kMode = CUDNN_BATCHNORM_SPATIAL_PERSISTENT;
constexpr cudnnBatchNormOps_t kOperations = CUDNN_BATCHNORM_OPS_BN_ACTIVATION;

// The scaling factors of fp16 tensors are float.
constexpr float kOne = 1, kZero = 0;

CudnnTensor tensor(const Activations& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : {shape.batch, shape.height, shape.width, shape.channels}) {
    if (extent < 1 || extent > std::numeric_limits<int>::max() / count) {
      throw std::invalid_argument("CudnnNormRelu: extents must be 1 or more and their product fit an int");
    }
    count *= extent;
  }
  return {CUDNN_TENSOR_NHWC,
          CUDNN_DATA_HALF,
          static_cast<int>(shape.batch),
          static_cast<int>(shape.channels),
          static_cast<int>(shape.height),
          static_cast<int>(shape.width)};
}

}  // namespace

struct CudnnNormRelu::Parts {
  Parts(const Activations& shape, double at_least) : epsilon(at_least), array(tensor(shape)) {
    check(derive_tensor(columns.get(), array.get(), kMode));
    cudnnActivationDescriptor_t activation = nullptr;
    check(create_activation(&activation));
    relu.reset(activation);
    check(set_activation(activation, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0.0));
    const cudnnHandle_t cudnn = vendor::cudnn_on(nullptr);
    check(workspace_size(cudnn, kMode, kOperations, array.get(), nullptr, array.get(), columns.get(), relu.get(),
                         &workspace_bytes));
    check(reserve_size(cudnn, kMode, kOperations, relu.get(), array.get(), &reserve_bytes));
  }

  double epsilon;
  CudnnTensor array, columns;
  vendor::Owned<cudnnActivationDescriptor_t, destroy_activation> relu;
  std::size_t workspace_bytes = 0, reserve_bytes = 0;
};

CudnnNormRelu::CudnnNormRelu(const Activations& shape, double epsilon)
    : parts_(std::make_unique<Parts>(shape, epsilon)) {}
CudnnNormRelu::~CudnnNormRelu() = default;

std::int64_t CudnnNormRelu::workspace_bytes() const { return static_cast<std::int64_t>(parts_->workspace_bytes); }
std::int64_t CudnnNormRelu::reserve_bytes() const { return static_cast<std::int64_t>(parts_->reserve_bytes); }

// No running averages: ours keeps none.
void CudnnNormRelu::forward(const void* in, const float* gamma, const float* beta, void* out, float* mean,
                            float* inverse_deviation, void* workspace, void* reserve, cudaStream_t stream) const {
  const Parts& p = *parts_;
  const cudnnTensorDescriptor_t array = p.array.get();
  check(forward_training(vendor::cudnn_on(stream), kMode, kOperations, &kOne, &kZero, array, in, nullptr, nullptr,
                         array, out, p.columns.get(), gamma, beta, 1.0, nullptr, nullptr, p.epsilon, mean,
                         inverse_deviation, p.relu.get(), workspace, p.workspace_bytes, reserve, p.reserve_bytes));
}

}  // namespace cupel::bench::fusion
