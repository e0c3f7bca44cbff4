// JPEG by libjpeg-turbo's TurboJPEG API.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/image/crop.hpp"

namespace cupel::bench::pipeline {

using kernels::image::Size;

class JpegEncoder {
 public:
  JpegEncoder();
  /// pixels: height x width x 3. Chroma at half the resolution each way, as cameras and ImageNet have it.
  std::vector<std::byte> encode(std::span<const std::uint8_t> pixels, Size size, int quality);

 private:
  std::unique_ptr<void, int (*)(void*)> handle_;
};

/// One thread's at a time. Errors are std::runtime_error without the file's name: "at byte N: ...".
class JpegDecoder {
 public:
  JpegDecoder();

  /// From the header alone.
  Size size_of(std::span<const std::byte> jpeg);

  /// Into height x width x 3 bytes, with the accurate integer transform and smooth chroma, as libjpeg's defaults. A
  /// file that ends before its last marker is an error, though libjpeg would fill the rest with grey.
  Size decode(std::span<const std::byte> jpeg, std::vector<std::uint8_t>& pixels);

 private:
  std::unique_ptr<void, int (*)(void*)> handle_;
};

}  // namespace cupel::bench::pipeline
