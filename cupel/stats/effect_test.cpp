#include "cupel/stats/effect.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "cupel/stats/interval.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/stats/random.hpp"
#include "cupel/stats/reference/test_reference.hpp"

namespace cupel::stats {
namespace {

using reference::expect_equal;
using Values = std::vector<double>;

Values random_values(std::size_t n, Random& random) {
  Values values(n);
  for (double& x : values) x = random.normal();
  return values;
}

TEST(HodgesLehmann, OfTwoSamplesEqualsTheReference) {
  for (const auto& c : reference::kTwoSamples) {
    const Shift shift = hodges_lehmann(c.a, c.b);

    expect_equal(shift.estimate, c.shift);
    expect_equal(shift.interval.low, c.low);
    expect_equal(shift.interval.high, c.high);
    expect_equal(shift.interval.level, c.level);
  }
}

TEST(HodgesLehmann, OfDifferencesEqualsTheReference) {
  for (const auto& c : reference::kPaired) {
    const Shift shift = hodges_lehmann(c.sample);

    expect_equal(shift.estimate, c.centre);
    expect_equal(shift.interval.low, c.low);
    expect_equal(shift.interval.high, c.high);
    expect_equal(shift.interval.level, c.level);
  }
}

TEST(MedianInterval, EqualsTheReference) {
  for (const auto& c : reference::kMedians) {
    const Interval interval = median_interval(c.sample);

    expect_equal(interval.low, c.low);
    expect_equal(interval.high, c.high);
    expect_equal(interval.level, c.level);
  }
}

TEST(MedianInterval, OfAMillionValuesHasItsLevel) {
  Random random(1);

  EXPECT_NEAR(median_interval(random_values(1'000'000, random)).level, 0.95, 1e-3);
}

TEST(HodgesLehmann, SwappingTheSidesGivesTheReciprocalRatio) {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    const Values a = random_values(1 + random.below(12), random);
    const Values b = random_values(1 + random.below(12), random);

    const Shift there = hodges_lehmann(a, b);
    const Shift back = hodges_lehmann(b, a);

    expect_equal(there.ratio(), 1 / back.ratio());
    expect_equal(there.ratio_interval().low, 1 / back.ratio_interval().high);
    expect_equal(there.ratio_interval().high, 1 / back.ratio_interval().low);
  }
}

TEST(HodgesLehmann, FollowsAShiftAndAScale) {
  Random random(3);
  const Values a = random_values(7, random);
  Values b = random_values(7, random);
  const Shift before = hodges_lehmann(a, b);

  for (double& x : b) x += 5;
  const Shift shifted = hodges_lehmann(a, b);

  expect_equal(shifted.estimate, before.estimate + 5);
  expect_equal(shifted.interval.low, before.interval.low + 5);
}

TEST(HodgesLehmann, OfASampleWithItselfIsZeroAndItsIntervalHoldsZero) {
  Random random(4);
  for (const std::size_t n : {1u, 2u, 5u, 12u}) {
    const Values a = random_values(n, random);

    EXPECT_EQ(hodges_lehmann(a, a).estimate, 0);
    EXPECT_TRUE(hodges_lehmann(a, a).interval.contains(0));
  }
}

// An exact interval and its test are one thing: zero is outside just where the two-sided test rejects.
TEST(HodgesLehmann, IntervalExcludesZeroWhereTheTestRejects) {
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    const Values a = random_values(7, random);
    Values b = random_values(6, random);
    for (double& x : b) x += 1.3;

    const Shift shift = hodges_lehmann(a, b);

    EXPECT_EQ(!shift.interval.contains(0), mann_whitney(a, b).p_two_sided <= 1 - shift.interval.level + 1e-12);
  }
}

TEST(HodgesLehmann, SaysTheLevelThatFewProcessesReach) {
  Random random(6);

  EXPECT_EQ(hodges_lehmann(random_values(1, random)).interval.level, 0);
  EXPECT_DOUBLE_EQ(hodges_lehmann(random_values(5, random)).interval.level, 1 - 2.0 / 32);
  EXPECT_DOUBLE_EQ(hodges_lehmann(random_values(3, random), random_values(3, random)).interval.level, 1 - 2.0 / 20);
  EXPECT_GE(hodges_lehmann(random_values(7, random)).interval.level, 0.95);
}

TEST(HodgesLehmann, OfManyValuesAgreesWithItsExactForm) {
  Random random(7);
  const Values a = random_values(101, random);
  const Values b = random_values(100, random);
  const Values fewer(a.begin(), a.end() - 1);

  const Shift approximate = hodges_lehmann(a, b);
  const Shift exact = hodges_lehmann(fewer, b);

  EXPECT_NEAR(approximate.interval.high - approximate.interval.low, exact.interval.high - exact.interval.low, 0.02);
  EXPECT_NEAR(hodges_lehmann(random_values(201, random)).interval.high, 1.96 / std::sqrt(201.0), 0.15);
}

// Where the pairs are only counted, with ties and both signs among them.
TEST(HodgesLehmann, OfManyValuesIsTheMedianOfAllPairs) {
  Random random(8);
  for (const std::size_t size : {201, 202}) {
    Values a = random_values(size, random), b = random_values(120, random);
    for (std::size_t i = 0; i < 30; ++i) a[2 * i] = a[2 * i + 1];
    Values differences, averages;
    for (const double x : a) {
      for (const double y : b) differences.push_back(y - x);
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = i; j < a.size(); ++j) averages.push_back(0.5 * (a[i] + a[j]));
    }

    EXPECT_EQ(hodges_lehmann(a, b).estimate, median(differences));
    EXPECT_EQ(hodges_lehmann(a).estimate, median(averages));
  }
}

TEST(HodgesLehmann, RefusesEmptySamplesNanAndWrongLevels) {
  EXPECT_THROW(hodges_lehmann(Values{}), std::invalid_argument);
  EXPECT_THROW(hodges_lehmann(Values{}, Values{1}), std::invalid_argument);
  EXPECT_THROW(hodges_lehmann(Values{std::nan("")}), std::invalid_argument);
  EXPECT_THROW(hodges_lehmann(Values{1, 2}, 1.0), std::invalid_argument);
}

}  // namespace
}  // namespace cupel::stats
