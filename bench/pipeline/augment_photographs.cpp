#include "bench/pipeline/augment_photographs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "bench/pipeline/photograph.hpp"
#include "bench/pipeline/side_by_side.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::pipeline {

AugmentPhotographs::AugmentPhotographs(int threads)
    : image_(photograph(harness::input_seed())),
      crops_(photograph_crops(harness::input_seed())),
      augmenters_(static_cast<std::size_t>(threads), Augmenter(kSide)) {}

void AugmentPhotographs::run(std::span<float> out) {
  const std::size_t threads = augmenters_.size();
  side_by_side(static_cast<int>(threads), [&](int thread) {
    const auto mine = static_cast<std::size_t>(thread);
    for (std::size_t i = mine; i < crops_.size(); i += threads)
      augmenters_[mine].run(image_, kPhotograph, crops_[i], out.subspan(i * kAugmentedValues, kAugmentedValues));
  });
}

namespace {

// How far an image's values are off at most; infinity where one is no number.
double greatest_error(std::span<const std::uint8_t> image, const Crop& crop, std::span<const float> out) {
  const std::vector<double> expected = augment_reference(image, kPhotograph, crop, kSide);
  double greatest = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double error = std::abs(static_cast<double>(out[i]) - expected[i]);
    greatest = std::max(greatest, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
  }
  return greatest;
}

}  // namespace

void require_as_reference(std::span<const std::uint8_t> images, std::span<const float> out, double bound) {
  constexpr auto kBytes = static_cast<std::size_t>(kPhotographBytes);
  const std::vector<Crop> crops = photograph_crops(harness::input_seed());
  std::vector<double> errors(crops.size());
  const auto threads = static_cast<std::size_t>(harness::usable_cpu_count());
  side_by_side(static_cast<int>(threads), [&](int thread) {
    for (auto i = static_cast<std::size_t>(thread); i < crops.size(); i += threads) {
      const auto image = images.size() == kBytes ? images : images.subspan(i * kBytes, kBytes);
      errors[i] = greatest_error(image, crops[i], out.subspan(i * kAugmentedValues, kAugmentedValues));
    }
  });
  const auto worst = std::ranges::max_element(errors);
  harness::require(*worst < bound, "augmented image " + std::to_string(worst - errors.begin()) +
                                       " differs from its reference by " + std::to_string(*worst));
}

}  // namespace cupel::bench::pipeline
