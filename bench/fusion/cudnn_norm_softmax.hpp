// cuDNN's softmax of rows. Its graphs have one inside attention only (as an operation by itself from version 9.21 on),
// so this is the function that frameworks have called since before graphs.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cupel/vendor/cudnn.hpp"

namespace cupel::bench::fusion {

class CudnnSoftmax {
 public:
  /// fp16, row-major. Throws Unavailable, CudnnError; std::invalid_argument where cuDNN cannot count the elements.
  CudnnSoftmax(std::int64_t rows, std::int64_t columns);

  /// As kernels::norm::softmax() and softmax_backward(). Enqueue; throw CudnnError.
  void forward(const void* in, void* out, cudaStream_t stream) const;
  void backward(const void* out, const void* d_out, void* d_in, cudaStream_t stream) const;

 private:
  vendor::CudnnTensor rows_;
};

}  // namespace cupel::bench::fusion
