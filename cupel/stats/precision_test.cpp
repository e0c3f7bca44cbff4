#include "cupel/stats/precision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cupel/stats/location.hpp"
#include "cupel/stats/random.hpp"
#include "cupel/stats/reference/measured.hpp"

namespace cupel::stats {
namespace {

// Samples around 1 whose neighbours correlate by phi.
std::vector<double> correlated(std::size_t n, double phi, double deviation, Random& random) {
  std::vector<double> sample(n);
  double z = random.normal();
  for (double& x : sample) {
    z = phi * z + std::sqrt(1 - phi * phi) * random.normal();
    x = 1 + deviation * z;
  }
  return sample;
}

// Share of intervals that hold the true location, 1.
double coverage(std::size_t n, double phi) {
  Random random(n);
  int held = 0;
  constexpr int kRuns = 4000;
  for (int run = 0; run < kRuns; ++run) {
    const Precision p = interquartile_mean_precision(correlated(n, phi, 0.01, random));
    held += std::abs(p.location - 1) <= p.half_width;
  }
  const double share = static_cast<double>(held) / kRuns;
  reference::report("location of " + std::to_string(n) + " samples, correlation " + std::to_string(phi).substr(0, 3),
                    share);
  return share;
}

TEST(Precision, IsUnknownBelowTenSamples) {
  EXPECT_TRUE(std::isinf(interquartile_mean_precision(std::vector<double>(9, 1.0)).half_width));
  EXPECT_EQ(interquartile_mean_precision(std::vector<double>(10, 1.0)).half_width, 0);
}

TEST(Precision, LocatesByTheInterquartileMean) {
  Random random(1);
  const std::vector<double> sample = correlated(33, 0, 0.1, random);

  EXPECT_EQ(interquartile_mean_precision(sample).location, interquartile_mean(sample));
}

TEST(Precision, WorkedOutByHand) {
  // The quartiles of 1..10 are 3.25 and 7.75, and a batch is one value.
  const std::vector<double> sample{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::vector<double> winsorised{3.25, 3.25, 3.25, 4, 5, 6, 7, 7.75, 7.75, 7.75};

  const Precision p = interquartile_mean_precision(sample);

  EXPECT_DOUBLE_EQ(p.location, 5.5);
  EXPECT_NEAR(p.half_width, 2.262157162798205 * standard_deviation(winsorised) / std::sqrt(10.0) * 2, 1e-12);
}

TEST(Precision, CoversTheLocationOfIndependentSamples) {
  // Four standard errors of 4,000 runs are 1.4 %.
  EXPECT_NEAR(coverage(30, 0), 0.95, 0.014);
  EXPECT_NEAR(coverage(150, 0), 0.95, 0.014);
}

TEST(Precision, WidensWhereNeighboursCorrelate) {
  // Few samples that hang together tell less than any batch of them shows: at 30 samples the interval is too narrow.
  EXPECT_GT(coverage(30, 0.5), 0.85);
  // Measured 0.94 at 150 and 0.92 at 400 samples; the interval of independent samples would cover 0.76 and 0.36.
  EXPECT_GT(coverage(150, 0.5), 0.92);
  EXPECT_GT(coverage(400, 0.9), 0.89);
}

TEST(Precision, DoesNotDependOnTheUnit) {
  Random random(2);
  const std::vector<double> sample = correlated(100, 0, 0.1, random);
  std::vector<double> scaled = sample;
  for (double& x : scaled) x *= 1e-6;

  const Precision p = interquartile_mean_precision(sample), p_scaled = interquartile_mean_precision(scaled);
  EXPECT_NEAR(p_scaled.half_width / p_scaled.location, p.half_width / p.location, 1e-12);
}

TEST(Precision, ShrinksWithTheRootOfTheCount) {
  Random random(3);
  double few = 0;
  double many = 0;
  for (int i = 0; i < 500; ++i) {
    few += interquartile_mean_precision(correlated(40, 0, 0.01, random)).half_width;
    many += interquartile_mean_precision(correlated(160, 0, 0.01, random)).half_width;
  }

  EXPECT_NEAR(few / many, 2, 0.1);
}

}  // namespace
}  // namespace cupel::stats
