// nvJPEG, loaded when first used, with its errors as exceptions and its objects owned.
#pragma once

#include <cuda_runtime.h>
#include <nvjpeg.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cupel/vendor/library.hpp"

namespace cupel::vendor {

SharedLibrary& nvjpeg_library();

/// Throws Unavailable unless nvJPEG is there, as new as the headers this was built with.
void require_nvjpeg();

template <>
std::string describe(nvjpegStatus_t status);
template <>
const char* why_not_here(nvjpegStatus_t status);
using NvjpegError = CallError<nvjpegStatus_t>;

namespace nvjpeg {
inline const Entry<decltype(nvjpegCreateEx)> create(nvjpeg_library, "nvjpegCreateEx");
inline const Entry<decltype(nvjpegDestroy)> destroy(nvjpeg_library, "nvjpegDestroy");
inline const Entry<decltype(nvjpegJpegStateCreate)> create_state(nvjpeg_library, "nvjpegJpegStateCreate");
inline const Entry<decltype(nvjpegJpegStateDestroy)> destroy_state(nvjpeg_library, "nvjpegJpegStateDestroy");
inline const Entry<decltype(nvjpegDecodeBatchedInitialize)> initialise(nvjpeg_library, "nvjpegDecodeBatchedInitialize");
inline const Entry<decltype(nvjpegDecodeBatched)> decode(nvjpeg_library, "nvjpegDecodeBatched");
}  // namespace nvjpeg

/// Decodes batches of JPEG images.
class NvjpegDecoder {
 public:
  /// NVJPEG_BACKEND_GPU_HYBRID: by kernels. NVJPEG_BACKEND_HARDWARE: by the decoders that some GPUs have. batch: images
  /// of each call. cpu_threads: for what the host does of it. Throws Unavailable where there is no nvJPEG, or where the
  /// GPU lacks the hardware; NvjpegError.
  NvjpegDecoder(nvjpegBackend_t backend, int batch, int cpu_threads);

  /// jpegs: host memory, one for each image of the batch. out: device memory for each, height x width x 3 bytes, row
  /// after row of widths[i] pixels. Enqueues on the stream, and does its part on the host before it returns. Throws
  /// NvjpegError.
  void decode(std::span<const std::vector<std::byte>> jpegs, std::span<std::uint8_t* const> out,
              std::span<const int> widths, cudaStream_t stream);

 private:
  Owned<nvjpegHandle_t, nvjpeg::destroy> handle_;
  Owned<nvjpegJpegState_t, nvjpeg::destroy_state> state_;
  std::vector<const unsigned char*> data_;
  std::vector<std::size_t> lengths_;
  std::vector<nvjpegImage_t> images_;
};

}  // namespace cupel::vendor
