// What a training pipeline does to an image on the host: random resized crop, flip, normalise, planar layout.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/image/crop.hpp"

namespace cupel::bench::pipeline {

using kernels::image::Crop;
using kernels::image::Size;

/// Of ImageNet, as torchvision's examples have them: red, green, blue.
inline constexpr double kMean[] = {0.485, 0.456, 0.406};
inline constexpr double kDeviation[] = {0.229, 0.224, 0.225};

/// Which pixels of an axis an output pixel is made of, and how much of each. Their weights add up to 1.
template <class Real>
struct Taps {
  int first = 0;
  std::vector<Real> weights;
};

/// Output pixel i of `out` made of `in` pixels: a triangle as wide as the scale when the axis shrinks, so that no pixel
/// is passed over; plain interpolation when it grows. Source: ATen, UpSampleKernel.cpp, _compute_index_ranges_weights:
/// what torchvision calls antialias=True, and Pillow's resize in the same way.
template <class Real>
Taps<Real> taps_of(int i, int out, int in);

/// One image. Not thread-safe: it keeps its buffers from call to call.
class Augmenter {
 public:
  /// out: side of the square that each image becomes. threads: of OpenMP, 1 or more, for the rows of one image.
  explicit Augmenter(int out, int threads = 1) : out_(out), threads_(threads) {}

  /// image: height x width x 3 bytes; crop lies within it (not checked). out: 3 x out x out, (value / 255 - mean) /
  /// deviation; within 1e-4 of the double reference.
  void run(std::span<const std::uint8_t> image, Size size, const Crop& crop, std::span<float> out);

 private:
  int out_;
  int threads_;
  std::vector<Taps<float>> rows_, columns_;
};

/// The same as the obvious sum over all pixels, in double.
void augment_reference(std::span<const std::uint8_t> image, Size size, const Crop& crop, int out_side,
                       std::span<double> out);

}  // namespace cupel::bench::pipeline
