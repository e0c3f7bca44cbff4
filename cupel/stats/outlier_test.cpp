#include "cupel/stats/outlier.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace cupel::stats {
namespace {

TEST(RobustZ, MeasuresFromTheMedianInRobustDeviations) {
  const std::vector<double> z = robust_z(std::vector{1.0, 2.0, 3.0, 4.0, 100.0});

  EXPECT_EQ(z[2], 0);
  EXPECT_NEAR(z[3], 1 / 1.482602218505602, 1e-15);
  EXPECT_NEAR(z[4], 97 / 1.482602218505602, 1e-12);
}

TEST(RobustZ, OfMostlyEqualValuesSetsTheOthersInfinitelyFar) {
  const std::vector<double> z = robust_z(std::vector{5.0, 5.0, 5.0, 4.0});

  EXPECT_EQ(z[0], 0);
  EXPECT_EQ(z[3], -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace cupel::stats
