// cuDNN's batch norm of arrays whose channels come before space, which is what PyTorch runs there.
#pragma once

#include <cuda_runtime.h>

#include <compare>

#include "kernels/common/dtype.hpp"

namespace cupel::bench::step {

/// batch x channels x places numbers of `type`; parameters and statistics are fp32, one a channel.
struct NormShape {
  kernels::DType type = kernels::DType::fp32;
  int batch = 1, channels = 1, height = 1, width = 1;
  auto operator<=>(const NormShape&) const = default;
};

// All enqueue; epsilon is kEpsilon. Throw Unavailable, CudnnError.

void cudnn_batch_norm(const NormShape& shape, const void* x, const float* gamma, const float* beta, void* y,
                      float* mean, float* inverse_deviation, cudaStream_t stream);

void cudnn_batch_norm_backward(const NormShape& shape, const void* x, const void* d_y, const float* gamma,
                               const float* mean, const float* inverse_deviation, void* d_x, float* d_gamma,
                               float* d_beta, cudaStream_t stream);

void cudnn_batch_norm_evaluation(const NormShape& shape, const void* x, const float* gamma, const float* beta,
                                 const float* mean, const float* variance, void* y, cudaStream_t stream);

}  // namespace cupel::bench::step
