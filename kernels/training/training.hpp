// The small kernels between the layers of a training step: the loss scale of mixed precision, which lives on the device
// so that a step waits for nothing, and running statistics.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/common/dtype.hpp"
#include "kernels/training/loss_scale.hpp"

namespace cupel::kernels::training {

// All enqueue on `stream` and neither allocate nor synchronise; arrays are device memory. They throw
// std::invalid_argument that names a bad argument, and CudaError if a launch is refused.

/// data[i] *= *factor, in fp32 with one rounding to `type`.
void scale_by(DType type, void* data, const float* factor, std::int64_t count, cudaStream_t stream);

/// Does what LossScale::update() does, with the state in device memory; *found_inf is 0 afterwards.
void update_loss_scale(LossScale* state, float* found_inf, const LossScaleRule& rule, cudaStream_t stream);

/// Running mean and variance of batch norms, all channels of all layers at once: running += momentum * (this step's -
/// running), where this step's variance is 1 / inverse_deviation^2 - epsilon, times `unbias`, which is n / (n - 1).
struct RunningStatistics {
  const float *mean, *inverse_deviation, *unbias;
  float *running_mean, *running_variance;
};
void update_running(const RunningStatistics& statistics, float epsilon, float momentum, std::int64_t count,
                    cudaStream_t stream);

}  // namespace cupel::kernels::training
