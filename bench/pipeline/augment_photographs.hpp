// The photographs of photograph.hpp, augmented by threads of the host; and what any augmentation of them is held
// against.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/pipeline/augment.hpp"

namespace cupel::bench::pipeline {

class AugmentPhotographs {
 public:
  explicit AugmentPhotographs(int threads);

  /// out: kAugmentedImages x kAugmentedValues.
  void run(std::span<float> out);
  /// The photograph that all are made of.
  std::span<const std::uint8_t> image() const { return image_; }

 private:
  std::vector<std::uint8_t> image_;
  std::vector<Crop> crops_;
  std::vector<Augmenter> augmenters_;  ///< one a thread
};

/// Throws harness's failure where a value of any image differs from the double reference by `bound` or more, or is no
/// number. images: a photograph for each, or one for all. out: of all images.
void require_as_reference(std::span<const std::uint8_t> images, std::span<const float> out, double bound);

}  // namespace cupel::bench::pipeline
