#include "cupel/stats/trend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "cupel/stats/outlier.hpp"
#include "cupel/stats/random.hpp"
#include "cupel/stats/reference/test_reference.hpp"

namespace cupel::stats {
namespace {

using reference::expect_equal;

TEST(Trend, EqualsTheReference) {
  for (const auto& c : reference::kTrends) {
    const Trend t = trend(c.sample);

    expect_equal(t.slope, c.slope);
    expect_equal(t.tau, c.tau);
    expect_equal(t.p_two_sided, c.p);
    expect_equal(lag1_autocorrelation(c.sample), c.autocorrelation, 1);
  }
}

TEST(Trend, OfAnAscendingLineIsCertain) {
  std::vector<double> line(10);
  std::iota(line.begin(), line.end(), 5.0);

  const Trend t = trend(line);

  EXPECT_DOUBLE_EQ(t.slope, 1);
  EXPECT_DOUBLE_EQ(t.tau, 1);
  expect_equal(t.p_two_sided, 2 / 3628800.0);
}

TEST(Trend, OfEqualOrNoValuesIsNone) {
  EXPECT_EQ(trend(std::vector<double>(20, 3.0)).p_two_sided, 1);
  EXPECT_EQ(trend({}).slope, 0);
  EXPECT_EQ(trend(std::vector{1.0}).p_two_sided, 1);
}

TEST(Trend, MirrorsWhenTimeIsReversed) {
  Random random(1);
  std::vector<double> values(70);
  for (double& x : values) x = std::floor(5 * random.normal());
  const std::vector<double> reversed(values.rbegin(), values.rend());

  EXPECT_DOUBLE_EQ(trend(reversed).slope, -trend(values).slope);
  EXPECT_DOUBLE_EQ(trend(reversed).p_two_sided, trend(values).p_two_sided);
}

TEST(Lag1Autocorrelation, FindsTheCorrelationOfAnAutoregression) {
  Random random(2);
  std::vector<double> values(50'000);
  double z = 0;
  for (double& x : values) x = z = 0.7 * z + random.normal();

  EXPECT_NEAR(lag1_autocorrelation(values), 0.7, 4 / std::sqrt(50'000.0));
  EXPECT_EQ(lag1_autocorrelation(std::vector{2.0, 2.0, 2.0}), 0);
}

TEST(FarOutShare, CountsWhatLiesOutsideTheOuterFences) {
  // Quartiles 3 and 7 of 1..9: the fences are at -9 and 19.
  std::vector<double> sample{1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(far_out_share(sample), 0);

  sample.back() = 19;
  EXPECT_EQ(far_out_share(sample), 0);
  sample.back() = 19.5;
  EXPECT_DOUBLE_EQ(far_out_share(sample), 1.0 / 9);
  EXPECT_EQ(far_out_share({}), 0);
}

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
