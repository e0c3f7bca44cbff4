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

/// Which pixels of an axis an output pixel is made of, and how much of each: a triangle as wide as the scale where the
/// axis shrinks, so that no pixel is passed over; plain interpolation where it grows. The centres of pixels are at one
/// half. Source: ATen, UpSampleKernel.cpp, _compute_index_ranges_weights: what torchvision calls antialias=True, and
/// Pillow's resize does in the same way.
template <class Real>
struct Triangle {
  int first, end;
  Real centre, half_width;

  /// Not yet divided by the sum of all.
  CUPEL_HOST_DEVICE Real weight(int pixel) const {
    const Real distance = (static_cast<Real>(pixel) - centre + Real(0.5)) / half_width;
    const Real height = 1 - (distance < 0 ? -distance : distance);
    return height > 0 ? height : Real(0);
  }
};

/// The pixels, among `in`, that output pixel i of `out` is made of.
template <class Real>
CUPEL_HOST_DEVICE Triangle<Real> triangle(int i, int out, int in) {
  const Real scale = static_cast<Real>(in) / static_cast<Real>(out);
  const Real half_width = scale > 1 ? scale : Real(1);
  const Real centre = scale * (static_cast<Real>(i) + Real(0.5));
  const int first = static_cast<int>(centre - half_width + Real(0.5));
  const int end = static_cast<int>(centre + half_width + Real(0.5));
  return {first > 0 ? first : 0, end < in ? end : in, centre, half_width};
}

/// A pixel of an image.
template <class Real>
struct Pixel {
  Real channel[kChannels];
};

/// Pixel (y, x) of the crop of an image (height x width x channels bytes), resized to `out`; 0 to 255.
template <class Real>
CUPEL_HOST_DEVICE Pixel<Real> resized(const std::uint8_t* image, int image_width, const Crop& crop, Size out, int y,
                                      int x) {
  const Triangle<Real> rows = triangle<Real>(y, out.height, crop.height);
  const Triangle<Real> columns = triangle<Real>(x, out.width, crop.width);
  Pixel<Real> sum = {};
  Real weights = 0;
  for (int row = rows.first; row < rows.end; ++row) {
    const std::int64_t start = std::int64_t{crop.top + row} * image_width + crop.left;
    for (int column = columns.first; column < columns.end; ++column) {
      const Real weight = rows.weight(row) * columns.weight(column);
      weights += weight;
      for (int c = 0; c < kChannels; ++c)
        sum.channel[c] += weight * static_cast<Real>(image[(start + column) * kChannels + c]);
    }
  }
  for (Real& value : sum.channel) value /= weights;
  return sum;
}

}  // namespace cupel::kernels::image
