// The references of the kernels of image.hpp, in plain C++ and double. Arrays are host memory.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/image/crop.hpp"

namespace cupel::kernels::image::reference {

enum class Layout { hwc, chw };

/// A batch of images of one size, height x width x 3 bytes each, and a crop for each.
struct Batch {
  std::span<const std::uint8_t> pixels;
  Size size;
  std::span<const Crop> crops;
};

/// out: batch x 3 x height x width or batch x height x width x 3; (resized and flipped / 255 - mean) / deviation of
/// each channel.
void augment(const Batch& batch, Size out_size, Layout layout, const float (&mean)[kChannels],
             const float (&deviation)[kChannels], std::span<double> out);

}  // namespace cupel::kernels::image::reference
