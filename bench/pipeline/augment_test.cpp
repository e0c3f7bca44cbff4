#include "bench/pipeline/augment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/pipeline/synthetic_image.hpp"

namespace cupel::bench::pipeline {
namespace {

void expect_as_reference(Size size, const Crop& crop, int side) {
  const std::vector<std::uint8_t> image = synthetic_image(5, size.width, size.height, size.width);
  const auto count = static_cast<std::size_t>(3 * side * side);
  std::vector<float> out(count);

  Augmenter(side).run(image, size, crop, out);

  const std::vector<double> expected = augment_reference(image, size, crop, side);
  double greatest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    greatest = std::max(greatest, std::abs(static_cast<double>(out[i]) - expected[i]));
  }
  EXPECT_LT(greatest, 1e-4) << size.height << " x " << size.width << " to " << side;
}

// Weights and sums in single precision: a centre at up to 500 is off by 500 x 2^-24, and so is a weight, relative to
// the scale; of values up to 255 / 57 by deviations, with some 10 x 10 taps, that stays below 1e-4.
TEST(Augmenter, GivesWhatTheReferenceGives) {
  expect_as_reference({375, 500}, {10, 20, 300, 400, false}, 224);
  expect_as_reference({375, 500}, {0, 0, 375, 500, true}, 32);
  expect_as_reference({40, 31}, {3, 5, 20, 17, true}, 224);
  expect_as_reference({1, 1}, {0, 0, 1, 1, false}, 7);
  expect_as_reference({33, 65}, {0, 0, 33, 65, false}, 1);
}

TEST(Augmenter, MirrorsAndNormalises) {
  // A black pixel to the left of a white one.
  const std::vector<std::uint8_t> image = {0, 0, 0, 255, 255, 255};
  std::vector<float> plain(3 * 2 * 2), mirrored(3 * 2 * 2);

  Augmenter(2).run(image, {1, 2}, {0, 0, 1, 2, false}, plain);
  Augmenter(2).run(image, {1, 2}, {0, 0, 1, 2, true}, mirrored);

  EXPECT_FLOAT_EQ(plain[0], -kMean[0] / kDeviation[0]);
  EXPECT_FLOAT_EQ(plain[1], (1 - kMean[0]) / kDeviation[0]);
  EXPECT_EQ(mirrored[0], plain[1]);
  EXPECT_EQ(mirrored[1], plain[0]);
}

}  // namespace
}  // namespace cupel::bench::pipeline
