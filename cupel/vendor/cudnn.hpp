// cuDNN, loaded when first used, with its errors as exceptions and its handle owned. The graph API is reached through
// cudnn-frontend, whose own loading takes cudnn_library().handle(); the functions here are what it does not cover.
#pragma once

#include <cudnn.h>

#include <string>

#include "cupel/cuda/cuda.hpp"
#include "cupel/vendor/library.hpp"

namespace cupel::vendor {

SharedLibrary& cudnn_library();

/// Throws Unavailable unless cuDNN is there, as new as the headers this was built with.
void require_cudnn();

template <>
std::string describe(cudnnStatus_t status);
template <>
const char* why_not_here(cudnnStatus_t status);
using CudnnError = CallError<cudnnStatus_t>;

namespace cudnn {
inline const Entry<decltype(cudnnCreate)> create(cudnn_library, "cudnnCreate");
inline const Entry<decltype(cudnnDestroy)> destroy(cudnn_library, "cudnnDestroy");
inline const Entry<decltype(cudnnSetStream)> set_stream(cudnn_library, "cudnnSetStream");
inline const Entry<decltype(cudnnCreateTensorDescriptor)> create_tensor(cudnn_library, "cudnnCreateTensorDescriptor");
inline const Entry<decltype(cudnnDestroyTensorDescriptor)> destroy_tensor(cudnn_library,
                                                                          "cudnnDestroyTensorDescriptor");
inline const Entry<decltype(cudnnSetTensor4dDescriptor)> set_tensor(cudnn_library, "cudnnSetTensor4dDescriptor");
}  // namespace cudnn

class CudnnHandle {
 public:
  /// Throws Unavailable, CudnnError.
  CudnnHandle();
  void set_stream(cudaStream_t stream) { check(cudnn::set_stream(get(), stream)); }
  cudnnHandle_t get() const { return handle_.get(); }

 private:
  Owned<cudnnHandle_t, cudnn::destroy> handle_;
};

/// The description of an array of four axes for the functions that are older than the graphs. Needs no device.
class CudnnTensor {
 public:
  /// Nothing is said of it yet: for functions that derive it from another. Throws Unavailable, CudnnError.
  CudnnTensor();
  /// Packed. Throws Unavailable, CudnnError.
  CudnnTensor(cudnnTensorFormat_t format, cudnnDataType_t type, int batch, int channels, int height, int width);
  cudnnTensorDescriptor_t get() const { return descriptor_.get(); }

 private:
  Owned<cudnnTensorDescriptor_t, cudnn::destroy_tensor> descriptor_;
};

}  // namespace cupel::vendor
