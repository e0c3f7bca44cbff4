// Augmentation of an image on the host, as a training pipeline does it: random resized crop, flip, normalise, planar
// layout.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/image/crop.hpp"

namespace cupel::bench::pipeline {

using kernels::image::Crop;
using kernels::image::Size;

/// ImageNet's, as torchvision's examples have them: red, green, blue.
inline constexpr float kMean[] = {0.485f, 0.456f, 0.406f};
inline constexpr float kDeviation[] = {0.229f, 0.224f, 0.225f};

/// Which pixels of an axis an output pixel is made of, and how much of each. Their weights add up to 1.
struct Taps {
  int first = 0;
  std::vector<float> weights;
};

/// That this process was forked for one worker. There alone OpenMP may be used: its threads do not live through a fork,
/// and a child whose parent has used it waits for them for ever (https://gcc.gnu.org/bugzilla/show_bug.cgi?id=58378).
/// Worker makes one behind its fork, and nobody else can.
class OwnProcess {
 private:
  friend class Worker;
  OwnProcess() {}
};

/// One image. Not thread-safe: it keeps its buffers from call to call.
class Augmenter {
 public:
  /// out: side of the square that each image becomes.
  explicit Augmenter(int out) : out_(out) {}
  /// threads: of OpenMP, 1 or more, for the rows of one image.
  Augmenter(int out, const OwnProcess&, int threads) : out_(out), threads_(threads) {}

  /// image: height x width x 3 bytes; crop lies within it (not checked). out: 3 x out x out, (value / 255 - mean) /
  /// deviation; within 1e-4 of the double reference, augment_reference().
  void run(std::span<const std::uint8_t> image, Size size, const Crop& crop, std::span<float> out);

 private:
  int out_;
  int threads_ = 1;
  std::vector<Taps> rows_, columns_;
};

/// The same as the obvious sum over all pixels, in double: what the GPU's is held against, too.
std::vector<double> augment_reference(std::span<const std::uint8_t> image, Size size, const Crop& crop, int out);

}  // namespace cupel::bench::pipeline
