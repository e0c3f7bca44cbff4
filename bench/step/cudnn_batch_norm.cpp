#include "bench/step/cudnn_batch_norm.hpp"

#include <algorithm>

#include "bench/step/program.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/vendor/cudnn.hpp"
#include "cupel/vendor/handles.hpp"

// Frameworks still call these functions of before the graphs.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace cupel::bench::step {
namespace {

using vendor::cudnn_library;
using vendor::CudnnTensor;
using vendor::Entry;

const Entry<decltype(cudnnBatchNormalizationForwardTraining)> forward_training(
    cudnn_library, "cudnnBatchNormalizationForwardTraining");
const Entry<decltype(cudnnBatchNormalizationBackward)> norm_backward(cudnn_library, "cudnnBatchNormalizationBackward");
const Entry<decltype(cudnnBatchNormalizationForwardInference)> forward_inference(
    cudnn_library, "cudnnBatchNormalizationForwardInference");

constexpr cudnnBatchNormMode_t kMode = CUDNN_BATCHNORM_SPATIAL;
constexpr float kOne = 1, kZero = 0;
const double kAtLeast = std::max(static_cast<double>(kEpsilon), CUDNN_BN_MIN_EPSILON);

cudnnDataType_t type_of(kernels::DType type) {
  switch (type) {
    case kernels::DType::fp16:
      return CUDNN_DATA_HALF;
    case kernels::DType::bf16:
      return CUDNN_DATA_BFLOAT16;
    case kernels::DType::fp32:
      break;
  }
  return CUDNN_DATA_FLOAT;
}

struct Descriptors {
  CudnnTensor array, channels;
};

Descriptors describe(const NormShape& s) {
  return {{CUDNN_TENSOR_NCHW, type_of(s.type), s.batch, s.channels, s.height, s.width},
          {CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, s.channels, 1, 1}};
}

}  // namespace

// Running statistics are updated elsewhere, those of all layers at once.
void cudnn_batch_norm(const NormShape& shape, const void* x, const float* gamma, const float* beta, void* y,
                      float* mean, float* inverse_deviation, cudaStream_t stream) {
  const Descriptors& d = harness::memoized<describe>(shape);
  vendor::check(forward_training(vendor::cudnn_on(stream), kMode, &kOne, &kZero, d.array.get(), x, d.array.get(), y,
                                 d.channels.get(), gamma, beta, 1.0, nullptr, nullptr, kAtLeast, mean,
                                 inverse_deviation));
}

void cudnn_batch_norm_backward(const NormShape& shape, const void* x, const void* d_y, const float* gamma,
                               const float* mean, const float* inverse_deviation, void* d_x, float* d_gamma,
                               float* d_beta, cudaStream_t stream) {
  const Descriptors& d = harness::memoized<describe>(shape);
  vendor::check(norm_backward(vendor::cudnn_on(stream), kMode, &kOne, &kZero, &kOne, &kZero, d.array.get(), x,
                              d.array.get(), d_y, d.array.get(), d_x, d.channels.get(), gamma, d_gamma, d_beta,
                              kAtLeast, mean, inverse_deviation));
}

void cudnn_batch_norm_evaluation(const NormShape& shape, const void* x, const float* gamma, const float* beta,
                                 const float* mean, const float* variance, void* y, cudaStream_t stream) {
  const Descriptors& d = harness::memoized<describe>(shape);
  vendor::check(forward_inference(vendor::cudnn_on(stream), kMode, &kOne, &kZero, d.array.get(), x, d.array.get(), y,
                                  d.channels.get(), gamma, beta, mean, variance, kAtLeast));
}

}  // namespace cupel::bench::step
