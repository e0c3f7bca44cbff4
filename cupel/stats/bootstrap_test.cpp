#include "cupel/stats/bootstrap.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/stats/random.hpp"
#include "cupel/stats/reference/measured.hpp"
#include "cupel/stats/reference/test_reference.hpp"

namespace cupel::stats {
namespace {

using reference::expect_equal;

TEST(Random, GivesTheNumbersOfItsAlgorithm) {
  Random random(42);

  for (const std::uint64_t expected : reference::kXoshiro42) EXPECT_EQ(random(), expected);
}

TEST(Random, ShufflesIntoEveryOrderAsOften) {
  Random random(1);
  std::array<int, 6> seen{};
  for (int i = 0; i < 6000; ++i) {
    std::array<int, 3> values{0, 1, 2};
    random.shuffle(std::span(values));
    ++seen[static_cast<std::size_t>(values[0] * 2 + (values[1] > values[2]))];
  }

  // Four standard deviations of a count of 1,000 in 6,000.
  for (const int count : seen) EXPECT_NEAR(count, 1000, 4 * std::sqrt(6000 * 5 / 36.0));
}

TEST(Random, HasTheMomentsItClaims) {
  Random random(2);
  constexpr int kCount = 100'000;
  double normal = 0;
  double squares = 0;
  double exponential = 0;
  for (int i = 0; i < kCount; ++i) {
    const double z = random.normal();
    normal += z / kCount;
    squares += z * z / kCount;
    exponential += random.exponential() / kCount;
  }

  EXPECT_NEAR(normal, 0, 4 / std::sqrt(kCount));
  EXPECT_NEAR(squares, 1, 4 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(exponential, 1, 4 / std::sqrt(kCount));
}

TEST(Bootstrap, EqualsTheReference) {
  for (const auto& c : reference::kBootstrap) {
    const GeometricMean mean = bootstrap_geometric_mean(c.ratios, 0.95, c.resamples, c.seed);

    expect_equal(mean.value, c.mean);
    expect_equal(mean.interval.low, c.low);
    expect_equal(mean.interval.high, c.high);
  }
}

TEST(Bootstrap, GivesTheSameForTheSameSeed) {
  const std::vector<double> ratios{1.1, 0.9, 1.3, 1.0, 1.2};

  EXPECT_EQ(bootstrap_geometric_mean(ratios).interval.low, bootstrap_geometric_mean(ratios).interval.low);
}

double coverage_of_geometric_mean(std::size_t benchmarks) {
  Random random(3);
  int held = 0;
  constexpr int kRuns = 1000;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> ratios(benchmarks);
    for (double& r : ratios) r = std::exp(0.1 + 0.2 * random.normal());
    const GeometricMean mean = bootstrap_geometric_mean(ratios, 0.95, 500, static_cast<std::uint64_t>(run));
    held += mean.interval.contains(std::exp(0.1));
  }
  const double share = static_cast<double>(held) / kRuns;
  reference::report("geometric mean of " + std::to_string(benchmarks) + " benchmarks", share);
  return share;
}

TEST(Bootstrap, CoversTheTrueMean) {
  // Without the expansion of the percentiles 0.83, 0.88 and 0.92.
  EXPECT_GT(coverage_of_geometric_mean(5), 0.88);
  EXPECT_GT(coverage_of_geometric_mean(8), 0.91);
  EXPECT_GT(coverage_of_geometric_mean(20), 0.925);
}

TEST(Bootstrap, OfOneBenchmarkSaysThatItKnowsNoSpread) {
  const GeometricMean mean = bootstrap_geometric_mean(std::vector{1.5});

  EXPECT_DOUBLE_EQ(mean.value, 1.5);
  EXPECT_EQ(mean.interval.level, 0);
}

TEST(Bootstrap, RefusesWhatHasNoGeometricMean) {
  EXPECT_THROW(bootstrap_geometric_mean({}), std::invalid_argument);
  EXPECT_THROW(bootstrap_geometric_mean(std::vector{1.0, 0.0}), std::invalid_argument);
  EXPECT_THROW(bootstrap_geometric_mean(std::vector{1.0, 2.0}, 0.95, 0), std::invalid_argument);
}

}  // namespace
}  // namespace cupel::stats
