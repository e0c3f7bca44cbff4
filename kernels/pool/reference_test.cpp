#include "kernels/pool/reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace cupel::kernels::pool {
namespace {

using testing::ElementsAre;

constexpr Windows kOverlapping{{.height = 3, .width = 3}, 3, 2, 1};

TEST(MaxPool, TakesTheLargestOfEachWindowWithoutPadding) {
  const std::vector<double> in = {-1, -2, -3,  //
                                  -4, -5, -6,  //
                                  -7, -8, -9};
  std::vector<double> out(4);
  std::vector<std::uint8_t> place(4);

  reference::max_pool(in, out, place, kOverlapping);

  EXPECT_THAT(out, ElementsAre(-1, -2, -4, -5));
  EXPECT_THAT(place, ElementsAre(4, 3, 1, 0));
}

TEST(MaxPool, TakesTheFirstOfSeveralAndANan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> out(1);
  std::vector<std::uint8_t> place(1);
  const Windows one{{.height = 2, .width = 2}, 2, 2, 0};

  reference::max_pool(std::vector<double>{1, 3, 3, 2}, out, place, one);
  EXPECT_EQ(place[0], 1);
  reference::max_pool(std::vector<double>{1, nan, 3, nan}, out, place, one);
  EXPECT_EQ(place[0], 1);
}

TEST(MaxPool, AnElementGetsTheGradientsOfAllItsWindows) {
  const std::vector<double> in = {0, 0, 0,  //
                                  0, 9, 0,  //
                                  0, 0, 1};
  std::vector<double> out(4), d_in(9);
  std::vector<std::uint8_t> place(4);
  reference::max_pool(in, out, place, kOverlapping);

  reference::max_pool_backward(std::vector<double>{1, 2, 4, 8}, place, d_in, kOverlapping);

  EXPECT_THAT(d_in, ElementsAre(0, 0, 0, 0, 15, 0, 0, 0, 0));
}

TEST(MeanPool, IsTheMeanOfEachPlaneInBothLayouts) {
  const Planes first{.images = 1, .channels = 2, .height = 1, .width = 2};
  Planes last = first;
  last.channels_last = true;
  std::vector<double> out(2), d_in(4);

  reference::mean_pool(std::vector<double>{1, 3, 10, 20}, out, first);
  EXPECT_THAT(out, ElementsAre(2, 15));
  reference::mean_pool(std::vector<double>{1, 10, 3, 20}, out, last);
  EXPECT_THAT(out, ElementsAre(2, 15));
  reference::mean_pool_backward(std::vector<double>{2, 6}, d_in, last);
  EXPECT_THAT(d_in, ElementsAre(1, 3, 1, 3));
}

}  // namespace
}  // namespace cupel::kernels::pool
