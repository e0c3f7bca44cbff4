#include "cupel/stats/location.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "cupel/stats/quantile.hpp"
#include "cupel/stats/random.hpp"
#include "cupel/stats/reference/test_reference.hpp"

namespace cupel::stats {
namespace {

using reference::expect_equal;

std::vector<double> random_sample(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> sample(n);
  for (double& x : sample) x = std::exp(random.normal());
  return sample;
}

TEST(Sorted, AscendsWhateverTheLengthAndTheSigns) {
  Random random(7);
  for (const std::size_t size : {0u, 1u, 2u, 99u, 100u, 257u, 3'001u, 70'000u}) {
    for (const double centre : {0.0, 1e-5, -3.0, 1e300}) {
      std::vector<double> sample(size);
      for (double& x : sample) x = centre + (std::abs(centre) / 100 + 1e-9) * random.normal();
      if (size > 4) {
        sample[1] = std::numeric_limits<double>::infinity();
        sample[2] = -std::numeric_limits<double>::infinity();
        sample[3] = std::numeric_limits<double>::denorm_min();
        sample[4] = sample[0];
      }
      std::vector<double> expected = sample;
      std::sort(expected.begin(), expected.end());

      EXPECT_EQ(sorted(sample), expected) << size << " around " << centre;
    }
  }
}

TEST(Sorted, TakesEqualValuesAndZerosOfBothSigns) {
  const std::vector<double> equal(300, 2.5);
  EXPECT_EQ(sorted(equal), equal);
  std::vector<double> zeros(300, -0.0);
  zeros[0] = 0.0;
  zeros[1] = -1.0;
  EXPECT_EQ(sorted(zeros).front(), -1.0);
  EXPECT_EQ(sorted(zeros).back(), 0.0);
}

TEST(Quantile, EqualsNumpys) {
  for (const auto& c : reference::kQuantiles) expect_equal(quantile(c.sample, c.p), c.quantile);
}

TEST(Quantile, IsTheSortedSamplesWhateverItsLength) {
  for (std::size_t n = 1; n < 40; ++n) {
    const std::vector<double> sample = random_sample(n, n);
    for (const double p : {0.0, 0.25, 0.5, 0.7, 0.99, 1.0})
      EXPECT_EQ(quantile(sample, p), quantile_of_sorted(sorted(sample), p)) << n << ", " << p;
  }
}

TEST(Quantile, OfNothingIsRefused) { EXPECT_THROW(quantile({}, 0.5), std::invalid_argument); }

TEST(Quantile, OfASampleWithNanIsRefused) {
  EXPECT_THROW(quantile(std::vector{1.0, std::nan("")}, 0.5), std::invalid_argument);
}

TEST(Quantile, BetweenEqualInfinitiesIsInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();

  EXPECT_EQ(median(std::vector{1.0, infinity, infinity, infinity}), infinity);
}

TEST(Median, OfAnEvenCountIsTheMeanOfTheMiddleTwo) { EXPECT_EQ(median(std::vector{7.0, 1.0, 2.0, 4.0}), 3.0); }

TEST(Median, OfNothingIsNoneWhereThatIsAsked) {
  EXPECT_EQ(median_if_any({}), std::nullopt);
  EXPECT_EQ(median_if_any(std::vector{1.0, 2.0}), 1.5);
}

TEST(Location, EqualsTheReference) {
  for (const auto& c : reference::kLocations) {
    expect_equal(interquartile_mean(c.sample), c.interquartile_mean);
    EXPECT_EQ(interquartile_mean_of_sorted(sorted(c.sample)), interquartile_mean(c.sample));
    expect_equal(median_absolute_deviation(c.sample), c.mad);
    expect_equal(geometric_mean(c.sample), c.geometric_mean);
    if (c.sample.size() > 1) expect_equal(standard_deviation(c.sample), c.standard_deviation);
  }
}

TEST(InterquartileMean, IsTheMeanOfTheMiddleHalf) {
  EXPECT_EQ(interquartile_mean(std::vector{100.0, 3.0, 5.0, -7.0}), 4.0);
}

TEST(InterquartileMean, CountsTheEdgesInPart) {
  // The middle 2.5 of five values count: the third whole, its neighbours by three quarters.
  EXPECT_DOUBLE_EQ(interquartile_mean(std::vector{0.0, 1.0, 2.0, 7.0, 100.0}), (0.75 * 1 + 2 + 0.75 * 7) / 2.5);
}

TEST(InterquartileMean, OfEqualValuesIsExactlyThatValue) {
  for (std::size_t n = 1; n < 50; ++n) EXPECT_EQ(interquartile_mean(std::vector<double>(n, 0.1)), 0.1);
}

TEST(InterquartileMean, DoesNotMoveWithAQuarterOfWildValues) {
  std::vector<double> sample = random_sample(40, 1);
  const std::vector<double> ascending = sorted(sample);
  const double before = interquartile_mean(sample);

  for (double& x : sample) {
    if (x >= ascending[30]) x = 1e300;
  }

  EXPECT_EQ(interquartile_mean(sample), before);
}

TEST(Location, DoesNotDependOnTheOrder) {
  std::vector<double> sample = random_sample(37, 2);
  const double mean_before = interquartile_mean(sample);
  const double mad_before = median_absolute_deviation(sample);

  for (int i = 0; i < 20; ++i) {
    Random(static_cast<std::uint64_t>(i)).shuffle(std::span(sample));

    EXPECT_EQ(interquartile_mean(sample), mean_before);
    EXPECT_EQ(median_absolute_deviation(sample), mad_before);
  }
}

TEST(Location, ScalesWithTheSample) {
  const std::vector<double> sample = random_sample(37, 3);
  std::vector<double> scaled = sample;
  for (double& x : scaled) x *= 1e-6;

  expect_equal(interquartile_mean(scaled), 1e-6 * interquartile_mean(sample));
  expect_equal(median_absolute_deviation(scaled), 1e-6 * median_absolute_deviation(sample));
}

TEST(Logarithms, RefusesWhatHasNone) {
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(logarithms(std::vector{1.0, bad}), std::invalid_argument);
  }
  EXPECT_THROW(interquartile_mean({}), std::invalid_argument);
}

TEST(NormalMad, MakesTheDeviationOfANormalSampleOne) {
  Random random(4);
  std::vector<double> sample(100'000);
  for (double& x : sample) x = random.normal();

  // The estimate's standard error is 1.17 / sqrt(n).
  EXPECT_NEAR(kNormalMad * median_absolute_deviation(sample), 1, 4 * 1.17 / std::sqrt(1e5));
}

TEST(PooledStandardDeviation, WeighsGroupsByTheirDegreesOfFreedom) {
  const std::vector<double> a{1, 3};        // squared deviations 2, one degree
  const std::vector<double> b{10, 10, 13};  // 6, two degrees
  const std::vector<double> alone{99};
  const std::array<std::span<const double>, 3> groups{a, b, alone};

  EXPECT_DOUBLE_EQ(pooled_standard_deviation(groups), std::sqrt(8.0 / 3));
  EXPECT_EQ(pooled_standard_deviation(std::span(groups).last(1)), 0);
}

TEST(HuberMean, OfValuesThatAgreeIsTheirMeanByTheInverseOfTheVariances) {
  EXPECT_NEAR(huber_mean(std::vector<Uncertain>{{1.0, 1}, {1.5, 2}, {0.5, 2}, {1.6, 1}}), 3.1 / 2.5, 1e-6);
}

// 1.345 sd of the eleventh are pulled back by the ten others, a tenth of it each.
TEST(HuberMean, IsMovedAsLittleByAFarValueAsByAFurther) {
  std::vector<Uncertain> sample(10, {2, 0.5});
  for (const double far : {10.0, 1e6}) {
    sample.push_back({far, 0.5});
    EXPECT_NEAR(huber_mean(sample), 2 + 0.5 * 1.345 / 10, 1e-5);
    sample.pop_back();
  }
}

TEST(HuberMean, MovesWithItsValues) {
  Random random(3);
  std::vector<Uncertain> sample, moved;
  for (int i = 0; i < 21; ++i) {
    sample.push_back({random.normal(), 0.1 + random.uniform()});
    moved.push_back({10 * sample.back().value + 7, 10 * sample.back().sd});
  }
  EXPECT_NEAR(huber_mean(moved), 10 * huber_mean(sample) + 7, 1e-4);
}

TEST(HuberMean, OfNothingIsRefused) { EXPECT_THROW(huber_mean({}), std::invalid_argument); }

}  // namespace
}  // namespace cupel::stats
