// The process's handles, made when first asked for: making one takes a tenth of a second and up.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cudnn.h>

#include "cupel/cuda/cuda.hpp"

namespace cupel::vendor {

/// The cuBLAS handle, on the stream from now on. Throws Unavailable, CublasError, OutOfMemory.
cublasHandle_t cublas_on(cudaStream_t stream);

/// The cuBLASLt handle. Throws Unavailable, CublasError.
cublasLtHandle_t cublas_lt_handle();

/// Device memory for products by cuBLASLt, CublasHandle::kWorkspaceBytes of it. Throws OutOfMemory.
cuda::DeviceBuffer<char>& cublas_lt_workspace();

/// The cuDNN handle, on the stream from now on. At the first call cudnn-frontend, which is used with
/// NV_CUDNN_FRONTEND_USE_DYNAMIC_LOADING, is told where cuDNN is. Throws Unavailable, CudnnError.
cudnnHandle_t cudnn_on(cudaStream_t stream);

}  // namespace cupel::vendor
