// The image that is augmented on the host, and on the GPU moved up by a row for each: the same crops on both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/pipeline/synthetic_image.hpp"
#include "kernels/image/crop.hpp"

namespace cupel::bench::pipeline {

inline constexpr kernels::image::Size kPhotograph = {375, 500};
inline constexpr std::int64_t kPhotographBytes = std::int64_t{3} * kPhotograph.height * kPhotograph.width;
inline constexpr int kSide = 224;  ///< of what it becomes
inline constexpr std::size_t kAugmentedValues = std::size_t{3} * kSide * kSide;
inline constexpr std::int64_t kAugmentedImages = 64;  ///< of one call

inline std::vector<std::uint8_t> photograph(std::uint64_t seed) {
  return synthetic_image(seed, 0, kPhotograph.height, kPhotograph.width);
}

inline std::vector<kernels::image::Crop> photograph_crops(std::uint64_t seed) {
  std::vector<kernels::image::Crop> crops;
  for (std::int64_t i = 0; i < kAugmentedImages; ++i)
    crops.push_back(kernels::image::random_crop(seed, i, kPhotograph));
  return crops;
}

}  // namespace cupel::bench::pipeline
