#include "bench/pipeline/augment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/pipeline/synthetic_image.hpp"

namespace cupel::bench::pipeline {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

TEST(Taps, AreThePixelItselfWhereNothingIsResized) {
  const Taps<double> taps = taps_of<double>(2, 5, 5);

  EXPECT_EQ(taps.first + static_cast<int>(std::ranges::find(taps.weights, 1.0) - taps.weights.begin()), 2);
}

// 4 pixels to 2: the centre of the first is at 1, its triangle reaches from -1 to 3. Pixels at 0.5, 1.5 and 2.5 have
// 3/4, 3/4 and 1/4 of its height, which add up to 7/4.
TEST(Taps, OfAnAxisThatHalvesAreATriangleAtItsEdgeCutOff) {
  const Taps<double> taps = taps_of<double>(0, 2, 4);

  EXPECT_EQ(taps.first, 0);
  EXPECT_THAT(taps.weights, ElementsAre(DoubleEq(3.0 / 7), DoubleEq(3.0 / 7), DoubleEq(1.0 / 7)));
}

// 2 pixels to 4: the centre of the second is at 0.75, between the centres 0.5 and 1.5.
TEST(Taps, OfAnAxisThatDoublesInterpolate) {
  const Taps<double> taps = taps_of<double>(1, 4, 2);

  EXPECT_EQ(taps.first, 0);
  EXPECT_THAT(taps.weights, ElementsAre(DoubleEq(0.75), DoubleEq(0.25)));
}

void expect_as_reference(Size size, const Crop& crop, int side, int threads) {
  const std::vector<std::uint8_t> image = synthetic_image(5, size.width, size.height, size.width);
  const auto count = static_cast<std::size_t>(3 * side * side);
  std::vector<float> out(count);
  std::vector<double> expected(count);

  Augmenter(side, threads).run(image, size, crop, out);

  augment_reference(image, size, crop, side, expected);
  double greatest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    greatest = std::max(greatest, std::abs(static_cast<double>(out[i]) - expected[i]));
  }
  EXPECT_LT(greatest, 1e-4) << size.height << " x " << size.width << " to " << side;
}

// Weights and sums in single precision: a centre at up to 500 is off by 500 x 2^-24, and so is a weight, relative to
// the scale; of values up to 255 / 57 by deviations, with some 10 x 10 taps, that stays below 1e-4.
TEST(Augmenter, GivesWhatTheReferenceGives) {
  expect_as_reference({375, 500}, {10, 20, 300, 400, false}, 224, 1);
  expect_as_reference({375, 500}, {0, 0, 375, 500, true}, 32, 1);
  expect_as_reference({40, 31}, {3, 5, 20, 17, true}, 224, 1);
  expect_as_reference({1, 1}, {0, 0, 1, 1, false}, 7, 1);
  expect_as_reference({33, 65}, {0, 0, 33, 65, false}, 1, 1);
}

TEST(Augmenter, GivesTheSameToTheBitWhateverItsThreads) {
  const Size size = {375, 500};
  const Crop crop = {11, 7, 301, 403, true};
  const std::vector<std::uint8_t> image = synthetic_image(5, 0, size.height, size.width);
  std::vector<float> one(3 * 224 * 224), many(one.size());

  Augmenter(224, 1).run(image, size, crop, one);
  Augmenter(224, 3).run(image, size, crop, many);

  EXPECT_EQ(one, many);
}

TEST(Augmenter, MirrorsAndNormalises) {
  // A black pixel to the left of a white one.
  const std::vector<std::uint8_t> image = {0, 0, 0, 255, 255, 255};
  std::vector<float> plain(3 * 2 * 2), mirrored(3 * 2 * 2);

  Augmenter(2).run(image, {1, 2}, {0, 0, 1, 2, false}, plain);
  Augmenter(2).run(image, {1, 2}, {0, 0, 1, 2, true}, mirrored);

  EXPECT_FLOAT_EQ(plain[0], static_cast<float>(-kMean[0] / kDeviation[0]));
  EXPECT_FLOAT_EQ(plain[1], static_cast<float>((1 - kMean[0]) / kDeviation[0]));
  EXPECT_EQ(mirrored[0], plain[1]);
  EXPECT_EQ(mirrored[1], plain[0]);
}

}  // namespace
}  // namespace cupel::bench::pipeline
