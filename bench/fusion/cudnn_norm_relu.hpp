// cuDNN's batch norm in training with the ReLU in it: the function that frameworks have called since before graphs. Its
// headers call it deprecated; the .cpp alone includes what is.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>

namespace cupel::bench::fusion {

/// An activation in NHWC, fp16.
struct Activations {
  std::int64_t batch = 1, height = 1, width = 1, channels = 1;
};

class CudnnNormRelu {
 public:
  /// cuDNN has it for channels in multiples of 4. Throws Unavailable, CudnnError; std::invalid_argument where cuDNN
  /// cannot count the elements.
  CudnnNormRelu(const Activations& shape, double epsilon);
  ~CudnnNormRelu();

  /// Bytes of device memory that forward() wants beside the arrays, and of what it keeps for the backward pass.
  std::int64_t workspace_bytes() const;
  std::int64_t reserve_bytes() const;

  /// As kernels::norm::batch_norm_training() with ReLU. Arrays at multiples of 16 bytes. Enqueues; throws CudnnError.
  void forward(const void* in, const float* gamma, const float* beta, void* out, float* mean, float* inverse_deviation,
               void* workspace, void* reserve, cudaStream_t stream) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cupel::bench::fusion
