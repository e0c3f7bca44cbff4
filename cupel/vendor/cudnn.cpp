#include "cupel/vendor/cudnn.hpp"

#include <array>
#include <cstring>

#include "cupel/vendor/cublas.hpp"

namespace cupel::vendor {
namespace {

const Entry<decltype(cudnnGetVersion)> get_version(cudnn_library, "cudnnGetVersion");
const Entry<decltype(cudnnGetCudartVersion)> get_cuda(cudnn_library, "cudnnGetCudartVersion");

constexpr Version kCudnnBuiltWith{CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL};

Version loaded() {
  const auto version = static_cast<int>(get_version());  // 91900 is 9.19.0
  return {version / 10000, version / 100 % 100, version % 100};
}

// cuDNN looks for these by itself when an engine wants them, where the dynamic linker looks, which need not be where
// the toolkit is. Those that are loaded are found. Without them it has fewer engines, so a missing one is no error.
void load_what_engines_want() {
  static SharedLibrary compiler("NVRTC", {"libnvrtc.so." + std::to_string(CUDART_VERSION / 1000)},
                                SharedLibrary::Loading::shared);
  for (SharedLibrary* library : {&cublas_lt_library(), &compiler}) {
    try {
      library->handle();
    } catch (const Unavailable&) {
      continue;
    }
  }
}

}  // namespace

// From the library itself if it is there: the text of an error must not fail in its turn.
template <>
std::string describe(cudnnStatus_t status) {
  try {
    static const Entry<decltype(cudnnGetErrorString)> name(cudnn_library, "cudnnGetErrorString");
    static const Entry<decltype(cudnnGetLastErrorString)> last(cudnn_library, "cudnnGetLastErrorString");
    std::array<char, 512> text{};
    last(text.data(), text.size());
    return std::string(name(status)) + (text[0] == '\0' ? "" : ": ") + text.data();
  } catch (const Unavailable&) {
    return "cuDNN status " + std::to_string(static_cast<int>(status));
  }
}

template <>
const char* why_not_here(cudnnStatus_t status) {
  if (CUDNN_STATUS_CATEGORY(status) == CUDNN_STATUS_NOT_SUPPORTED) return kNotSupportedHere;
  switch (status) {
    case CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED:
    case CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED:
      return kOutOfMemoryInside;
    default:
      return nullptr;
  }
}

SharedLibrary& cudnn_library() {
  static SharedLibrary library("cuDNN", {"libcudnn.so." + std::to_string(kCudnnBuiltWith.major)},
                               SharedLibrary::Loading::shared);
  return library;
}

void require_cudnn() {
  static const bool prepared = (load_what_engines_want(), true);
  static_cast<void>(prepared);
  require_cuda("cuDNN", CUDART_VERSION, static_cast<int>(get_cuda()), cudnn_library().file());
  require_version("cuDNN", kCudnnBuiltWith, loaded(), cudnn_library().file());
}

CudnnHandle::CudnnHandle() {
  require_cudnn();
  handle_ = made<decltype(handle_)>(cudnn::create);
}

CudnnTensor::CudnnTensor() {
  require_cudnn();
  descriptor_ = made<decltype(descriptor_)>(cudnn::create_tensor);
}

CudnnTensor::CudnnTensor(cudnnTensorFormat_t format, cudnnDataType_t type, int batch, int channels, int height,
                         int width)
    : CudnnTensor() {
  check(cudnn::set_tensor(get(), format, type, batch, channels, height, width));
}

}  // namespace cupel::vendor
