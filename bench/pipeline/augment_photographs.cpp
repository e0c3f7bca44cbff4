#include "bench/pipeline/augment_photographs.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "bench/pipeline/photograph.hpp"
#include "bench/pipeline/side_by_side.hpp"
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

void require_last_as_reference(std::span<const float> out, double bound) {
  const std::uint64_t seed = harness::input_seed();
  const std::vector<double> expected =
      augment_reference(photograph(seed), kPhotograph, photograph_crops(seed).back(), kSide);
  const std::span<const float> last = out.last(kAugmentedValues);
  double greatest = 0;
  for (std::size_t i = 0; i < last.size(); ++i)
    greatest = std::max(greatest, std::abs(static_cast<double>(last[i]) - expected[i]));
  harness::require(greatest < bound, "the augmented image differs from its reference by " + std::to_string(greatest));
}

}  // namespace cupel::bench::pipeline
