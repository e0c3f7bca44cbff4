#include "cupel/vendor/nvjpeg.hpp"

#include <string>

#include "cupel/cuda/cuda.hpp"

namespace cupel::vendor {
namespace {

const Entry<decltype(nvjpegGetProperty)> nvjpeg_property(nvjpeg_library, "nvjpegGetProperty");

constexpr Version kNvjpegBuiltWith{NVJPEG_VER_MAJOR, NVJPEG_VER_MINOR, NVJPEG_VER_PATCH};

Version loaded_nvjpeg() {
  Version version;
  check(nvjpeg_property(MAJOR_VERSION, &version.major));
  check(nvjpeg_property(MINOR_VERSION, &version.minor));
  check(nvjpeg_property(PATCH_LEVEL, &version.patch));
  return version;
}

// nvJPEG has no function for it.
const char* meaning(nvjpegStatus_t status) {
  switch (status) {
    case NVJPEG_STATUS_BAD_JPEG:
      return "not a JPEG image";
    case NVJPEG_STATUS_JPEG_NOT_SUPPORTED:
      return "a kind of JPEG that is not supported";
    case NVJPEG_STATUS_ALLOCATOR_FAILURE:
      return "memory ran out";
    case NVJPEG_STATUS_EXECUTION_FAILED:
      return "the device failed";
    case NVJPEG_STATUS_ARCH_MISMATCH:
      return "this GPU lacks the hardware";
    case NVJPEG_STATUS_INCOMPLETE_BITSTREAM:
      return "the image ends too early";
    default:
      return "failed";
  }
}

}  // namespace

SharedLibrary& nvjpeg_library() {
  static SharedLibrary library("nvJPEG", {"libnvjpeg.so." + std::to_string(kNvjpegBuiltWith.major)});
  return library;
}

template <>
std::string describe(nvjpegStatus_t status) {
  return "nvJPEG: " + std::string(meaning(status)) + ", status " + std::to_string(static_cast<int>(status));
}

template <>
const char* why_not_here(nvjpegStatus_t status) {
  switch (status) {
    case NVJPEG_STATUS_ARCH_MISMATCH:
    case NVJPEG_STATUS_IMPLEMENTATION_NOT_SUPPORTED:
      return kNotSupportedHere;
    case NVJPEG_STATUS_ALLOCATOR_FAILURE:
      return kOutOfMemoryInside;
    default:
      return nullptr;
  }
}

void require_nvjpeg() { require_version("nvJPEG", kNvjpegBuiltWith, loaded_nvjpeg(), nvjpeg_library().file()); }

NvjpegDecoder::NvjpegDecoder(nvjpegBackend_t backend, int batch, int cpu_threads) {
  require_nvjpeg();
  nvjpegHandle_t handle = nullptr;
  const nvjpegStatus_t created = nvjpeg::create(backend, nullptr, nullptr, 0u, &handle);
  if (created == NVJPEG_STATUS_ARCH_MISMATCH) throw Unavailable("this GPU has no hardware that decodes JPEG");
  check(created);
  handle_.reset(handle);
  nvjpegJpegState_t state = nullptr;
  check(nvjpeg::create_state(handle, &state));
  state_.reset(state);
  check(nvjpeg::initialise(handle, state, batch, cpu_threads, NVJPEG_OUTPUT_RGBI));
}

void NvjpegDecoder::decode(std::span<const std::vector<std::byte>> jpegs, std::span<std::uint8_t* const> out,
                           std::span<const int> widths, cudaStream_t stream) {
  data_.clear();
  lengths_.clear();
  images_.assign(jpegs.size(), nvjpegImage_t{});
  for (std::size_t i = 0; i < jpegs.size(); ++i) {
    data_.push_back(reinterpret_cast<const unsigned char*>(jpegs[i].data()));
    lengths_.push_back(jpegs[i].size());
    images_[i].channel[0] = out[i];
    images_[i].pitch[0] = static_cast<unsigned>(widths[i]) * 3;
  }
  const unsigned char* const* const data = data_.data();
  check(nvjpeg::decode(handle_.get(), state_.get(), data, lengths_.data(), images_.data(), stream));
}

}  // namespace cupel::vendor
