#include "cupel/vendor/handles.hpp"

#include <cstdlib>
#include <string>

#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/cudnn.hpp"

// cudnn-frontend declares it and looks its functions up in this library.
namespace cudnn_frontend {
extern void* cudnn_dlhandle;
void* cudnn_dlhandle = nullptr;
}  // namespace cudnn_frontend

namespace cupel::vendor {
namespace {

// Never destroyed: the driver may be gone before statics are. Setting a stream is left out where it is the one already:
// it costs the host more than a short kernel the device.
template <class Handle>
class OnStream {
 public:
  auto get(cudaStream_t stream) {
    if (!is_set_ || current_ != stream) {
      handle_.set_stream(stream);
      current_ = stream;
      is_set_ = true;
    }
    return handle_.get();
  }

 private:
  Handle handle_;
  cudaStream_t current_ = nullptr;
  bool is_set_ = false;
};

}  // namespace

cublasHandle_t cublas_on(cudaStream_t stream) {
  static auto& handle = *new OnStream<CublasHandle>;
  return handle.get(stream);
}

cublasLtHandle_t cublas_lt_handle() {
  static auto& handle = *new CublasLtHandle;
  return handle.get();
}

cuda::DeviceBuffer<char>& cublas_lt_workspace() {
  static auto& workspace = *new cuda::DeviceBuffer<char>(CublasHandle::kWorkspaceBytes);
  return workspace;
}

cudnnHandle_t cudnn_on(cudaStream_t stream) {
  static auto& handle = [&]() -> OnStream<CudnnHandle>& {
    require_cudnn();
    // The frontend would take the first CUDA runtime of any version that it finds; a name that was set stays.
    const std::string runtime = "libcudart.so." + std::to_string(CUDART_VERSION / 1000);
    setenv("CUDNN_FRONTEND_CUDART_LIB_NAME", runtime.c_str(), 0);
    cudnn_frontend::cudnn_dlhandle = cudnn_library().handle();
    return *new OnStream<CudnnHandle>;
  }();
  return handle.get(stream);
}

}  // namespace cupel::vendor
