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

 private:
  std::vector<std::uint8_t> image_;
  std::vector<Crop> crops_;
  std::vector<Augmenter> augmenters_;  ///< one a thread
};

/// Throws harness's failure where a value of the last image differs from the double reference by `bound` or more. out:
/// of all images.
void require_last_as_reference(std::span<const float> out, double bound);

}  // namespace cupel::bench::pipeline
