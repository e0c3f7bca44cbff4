// The shapes of pooling. Host code and kernels alike.
#pragma once

#include <cstdint>

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::pool {

/// images x channels planes of height x width.
struct Planes {
  std::int64_t images = 1, channels = 1, height = 1, width = 1;
  bool channels_last = false;  ///< NHWC, else NCHW

  CUPEL_HOST_DEVICE constexpr std::int64_t count() const { return images * channels * height * width; }
  CUPEL_HOST_DEVICE constexpr std::int64_t at(std::int64_t image, std::int64_t channel, std::int64_t row,
                                              std::int64_t column) const {
    return channels_last ? ((image * height + row) * width + column) * channels + channel
                         : ((image * channels + channel) * height + row) * width + column;
  }
};

/// Square windows over padded planes. The padding is at most half a window, so that each has an element.
struct Windows {
  Planes in;
  std::int64_t window = 1;  ///< 1 to 15
  std::int64_t stride = 1;
  std::int64_t padding = 0;

  CUPEL_HOST_DEVICE constexpr Planes out() const {
    Planes planes = in;
    planes.height = (in.height + 2 * padding - window) / stride + 1;
    planes.width = (in.width + 2 * padding - window) / stride + 1;
    return planes;
  }
};

}  // namespace cupel::kernels::pool
