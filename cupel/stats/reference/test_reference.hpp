// Values computed by other programs, for the tests: make_reference.py says how.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace cupel::stats::reference {

using Values = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct QuantileCase {
  Values sample;
  double p, quantile;
};
struct LocationCase {
  Values sample;
  double interquartile_mean, mad, geometric_mean, standard_deviation;
};
struct NormalCase {
  double p, z;
};
struct StudentCase {
  double t, freedom, p;
};
struct RankSumCase {
  std::size_t n, m;
  std::ptrdiff_t u;
  double at_most;
};
struct TwoSampleCase {
  Values a, b;
  double u, p_greater, p_less, p_two_sided, shift, low, high, level;
};
struct TiedCase {
  Values a, b;
  double u, p_greater, p_less;
};
struct LargeCase {
  Values a, b;
  double u, p_greater, p_less, p_two_sided;
};
struct IntervalCase {
  Values sample;
  double centre, low, high, level;
};
struct MultiplicityCase {
  Values p, holm;
};
struct BootstrapCase {
  Values ratios;
  int resamples;
  std::uint64_t seed;
  double mean, low, high;
};

#include "cupel/stats/reference/reference.inc"

/// Equal to 1e-12 of the expected value, and of one where the value itself is a difference of larger ones.
inline void expect_equal(double actual, double expected, double scale = 0) {
  if (std::isinf(expected)) {
    EXPECT_EQ(actual, expected);
    return;
  }
  EXPECT_NEAR(actual, expected, 1e-12 * std::max(std::abs(expected), scale));
}

}  // namespace cupel::stats::reference
