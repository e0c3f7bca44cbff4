#include "kernels/image/reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace cupel::kernels::image {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

constexpr float kNoMean[3] = {0, 0, 0};
constexpr float kBytes[3] = {1.0f / 255, 1.0f / 255, 1.0f / 255};  // deviation that gives bytes back

using reference::Layout;

// Each pixel's share of an output pixel, from the first.
std::vector<double> shares(int i, int out, int in) {
  const Triangle<double> taken = triangle<double>(i, out, in);
  std::vector<double> weights;
  for (int pixel = taken.first; pixel < taken.end; ++pixel) weights.push_back(taken.weight(pixel));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

TEST(Triangle, IsThePixelItselfWhereNothingIsResized) {
  const Triangle<double> taken = triangle<double>(2, 5, 5);

  for (int pixel = taken.first; pixel < taken.end; ++pixel) EXPECT_EQ(taken.weight(pixel), pixel == 2 ? 1 : 0);
}

// 4 pixels to 2: the centre of the first is at 1, its triangle reaches from -1 to 3. Pixels at 0.5, 1.5 and 2.5 have
// 3/4, 3/4 and 1/4 of its height, which add up to 7/4.
TEST(Triangle, OfAnAxisThatHalvesIsCutOffAtItsEdge) {
  EXPECT_EQ(triangle<double>(0, 2, 4).first, 0);
  EXPECT_THAT(shares(0, 2, 4), ElementsAre(DoubleEq(3.0 / 7), DoubleEq(3.0 / 7), DoubleEq(1.0 / 7)));
}

// 2 pixels to 4: the centre of the second is at 0.75, between the centres 0.5 and 1.5.
TEST(Triangle, OfAnAxisThatDoublesInterpolates) {
  EXPECT_EQ(triangle<double>(1, 4, 2).first, 0);
  EXPECT_THAT(shares(1, 4, 2), ElementsAre(DoubleEq(0.75), DoubleEq(0.25)));
}

// Two by two pixels whose three channels are equal.
const std::vector<std::uint8_t> kSquare = {10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40};

std::vector<double> augmented(const Crop& crop, Size out_size, Layout layout = Layout::hwc) {
  std::vector<double> out(static_cast<std::size_t>(out_size.height * out_size.width * 3));
  const std::vector<Crop> crops = {crop};
  reference::augment({kSquare, {2, 2}, crops}, out_size, layout, kNoMean, kBytes, out);
  return out;
}

TEST(Augment, OfTheWholeImageAtItsSizeIsTheImage) {
  const auto out = augmented({0, 0, 2, 2, false}, {2, 2});
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_NEAR(out[i], kSquare[i], 1e-5);
}

// Four pixels of a row to two: 3/7, 3/7 and 1/7 of the first three, and the same from the other end.
TEST(Augment, PassesNoPixelOverWhereItShrinks) {
  const std::vector<std::uint8_t> row = {7, 7, 7, 14, 14, 14, 70, 70, 70, 0, 0, 0};
  const std::vector<Crop> whole = {{0, 0, 1, 4, false}};
  std::vector<double> out(6);

  reference::augment({row, {1, 4}, whole}, {1, 2}, Layout::hwc, kNoMean, kBytes, out);

  EXPECT_NEAR(out[0], 3 + 6 + 10, 1e-5);
  EXPECT_NEAR(out[3], 0 + 30 + 2, 1e-5);
}

TEST(Augment, MirrorsLeftToRight) {
  const auto out = augmented({0, 0, 2, 2, true}, {2, 2});
  EXPECT_NEAR(out[0], 20, 1e-5);
  EXPECT_NEAR(out[3], 10, 1e-5);
  EXPECT_NEAR(out[6], 40, 1e-5);
}

TEST(Augment, ToOnePixelIsTheMeanOfTheFourAroundTheCentre) {
  EXPECT_NEAR(augmented({0, 0, 2, 2, false}, {1, 1})[0], 25, 1e-5);
}

TEST(Augment, ToFourPixelsAcrossLiesAQuarterAndThreeQuartersBetweenTheCentres) {
  const auto out = augmented({0, 0, 1, 2, false}, {1, 4});
  EXPECT_NEAR(out[0], 10, 1e-5);
  EXPECT_NEAR(out[3], 12.5, 1e-5);
  EXPECT_NEAR(out[6], 17.5, 1e-5);
  EXPECT_NEAR(out[9], 20, 1e-5);
}

TEST(Augment, PutsChannelsFirstWhereAskedTo) {
  const auto out = augmented({0, 0, 2, 2, false}, {2, 2}, Layout::chw);
  EXPECT_NEAR(out[0], 10, 1e-5);
  EXPECT_NEAR(out[1], 20, 1e-5);
  EXPECT_NEAR(out[3], 40, 1e-5);
  EXPECT_NEAR(out[4], 10, 1e-5);
}

TEST(RandomCrop, LiesInTheImageHasTheAskedAreaAndRatioAndFlipsEverySecondTime) {
  constexpr Size kImage{240, 320};
  int flipped = 0;
  for (std::int64_t i = 0; i < 10'000; ++i) {
    const Crop crop = random_crop(1, i, kImage);
    flipped += crop.flip;
    ASSERT_GE(crop.top, 0);
    ASSERT_GE(crop.left, 0);
    ASSERT_LE(crop.top + crop.height, kImage.height);
    ASSERT_LE(crop.left + crop.width, kImage.width);
    // Half a pixel of rounding on each side.
    ASSERT_GE((crop.width + 0.5) * (crop.height + 0.5), 0.08 * 240 * 320);
    ASSERT_LE((crop.width - 0.5) / (crop.height + 0.5), 4.0 / 3);
    ASSERT_GE((crop.width + 0.5) / (crop.height - 0.5), 3.0 / 4);
  }
  EXPECT_NEAR(flipped, 5000, 250);  // five deviations of a binomial
  EXPECT_EQ(random_crop(1, 7, kImage), random_crop(1, 7, kImage));
  EXPECT_NE(random_crop(1, 7, kImage), random_crop(2, 7, kImage));
}

TEST(RandomCrop, OfAnImageOfOnePixelIsThePixel) {
  const Crop crop = random_crop(1, 1, {1, 1});
  EXPECT_EQ(crop.height, 1);
  EXPECT_EQ(crop.width, 1);
}

}  // namespace
}  // namespace cupel::kernels::image
