// Which part of an image is taken and where its pixels come from: shared by kernels (float) and reference (double).
#pragma once

#include <cstdint>

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::image {

inline constexpr int kChannels = 3;

/// A part of an image, in pixels; mirrored left to right if `flip`.
struct Crop {
  int top = 0, left = 0, height = 1, width = 1;
  bool flip = false;
  bool operator==(const Crop&) const = default;
};

struct Size {
  int height = 1, width = 1;
  bool operator==(const Size&) const = default;
};

/// A random crop of 8 to 100 % of the area, with a ratio of width to height of 3/4 to 4/3, flipped every second time;
/// the whole image where ten attempts do not fit. Depends on seed and index only.
/// Source: Szegedy et al. (2015), "Going Deeper with Convolutions", section 6, as torchvision's RandomResizedCrop.
Crop random_crop(std::uint64_t seed, std::int64_t index, Size image);

/// Between which two pixels of an axis a position of the output lies, and how far from the first.
template <class Real>
struct Between {
  int first, second;
  Real weight;
};

/// Output pixel i of `out` falls between pixels of `in`; the centres of pixels are at one half, and what lies before
/// the first or behind the last centre is the edge's.
template <class Real>
CUPEL_HOST_DEVICE Between<Real> between(int i, int out, int in) {
  Real position = (static_cast<Real>(i) + Real(0.5)) * static_cast<Real>(in) / static_cast<Real>(out) - Real(0.5);
  if (position < 0) position = 0;
  int first = static_cast<int>(position);
  if (first > in - 1) first = in - 1;
  const int second = first + 1 < in ? first + 1 : first;
  return {first, second, second == first ? Real(0) : position - static_cast<Real>(first)};
}

/// Channel `channel` of pixel (y, x) of the crop of an image (height x width x channels bytes), resized to `out` by
/// bilinear interpolation; 0 to 255.
template <class Real>
CUPEL_HOST_DEVICE Real resized(const std::uint8_t* image, int image_width, const Crop& crop, Size out, int y, int x,
                               int channel) {
  const Between<Real> rows = between<Real>(y, out.height, crop.height);
  const Between<Real> columns = between<Real>(x, out.width, crop.width);
  const auto pixel = [&](int row, int column) {
    const std::int64_t place = static_cast<std::int64_t>(crop.top + row) * image_width + crop.left + column;
    return static_cast<Real>(image[place * kChannels + channel]);
  };
  const Real above =
      pixel(rows.first, columns.first) * (1 - columns.weight) + pixel(rows.first, columns.second) * columns.weight;
  const Real below =
      pixel(rows.second, columns.first) * (1 - columns.weight) + pixel(rows.second, columns.second) * columns.weight;
  return above * (1 - rows.weight) + below * rows.weight;
}

}  // namespace cupel::kernels::image
