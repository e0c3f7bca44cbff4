#include "kernels/common/smooth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cupel::kernels {
namespace {

// How many of the float's last digits `is` lies from `should`.
double ulp_between(double should, float is) {
  const auto nearest = static_cast<float>(should);
  const double ulp = static_cast<double>(std::nextafter(std::abs(nearest), INFINITY)) - std::abs(nearest);
  return std::abs(static_cast<double>(is) - should) / ulp;
}

TEST(Tanh, IsWithinSixUlpWhereverAFloatCanBe) {
  double worst = 0;
  for (float x = 1e-30f; x < 20; x *= 1.0001f) {
    const double error = ulp_between(std::tanh(static_cast<double>(x)), tanh(x));
    worst = std::max(worst, error);
    ASSERT_LE(error, 6) << x;
    ASSERT_LE(tanh(x), 1.0f) << x;
    ASSERT_EQ(tanh(-x), -tanh(x)) << x;
  }
  EXPECT_GT(worst, 0.5) << "it is the C library's";
}

TEST(Tanh, IsAtZeroAtTheEndsAndOfNotANumberWhatItShouldBe) {
  EXPECT_EQ(tanh(0.0f), 0.0f);
  EXPECT_NEAR(tanh(std::numeric_limits<float>::infinity()), 1.0f, 3e-7);
  EXPECT_NEAR(tanh(-std::numeric_limits<float>::infinity()), -1.0f, 3e-7);
  EXPECT_TRUE(std::isnan(tanh(std::numeric_limits<float>::quiet_NaN())));
}

// The compiler knows std::tanh of a constant to the last digit, which the library need not give.
TEST(Tanh, OfADoubleIsTheLibrarys) {
  const volatile double x = 0.7;

  EXPECT_EQ(tanh(x), std::tanh(x));
}

TEST(Sigmoid, KeepsItsDigitsFarBelowZero) {
  for (float x = -80; x < 80; x += 0.37f) {
    const double should = 1 / (1 + std::exp(-static_cast<double>(x)));
    EXPECT_LE(ulp_between(should, sigmoid(x)), 4 + 2 * std::abs(x)) << x;
  }
}

TEST(Sigmoid, IsNoughtAndOneAtTheEnds) {
  EXPECT_EQ(sigmoid(-std::numeric_limits<float>::infinity()), 0.0f);
  EXPECT_EQ(sigmoid(std::numeric_limits<float>::infinity()), 1.0f);
}

TEST(NormalDistribution, KeepsItsDigitsFarBelowZeroAndIsOneFarAbove) {
  for (float x = -10; x < 10; x += 0.0037f) {
    const double should = std::erfc(-static_cast<double>(x) / std::sqrt(2.0)) / 2;
    EXPECT_LE(ulp_between(should, normal_distribution(x)), x < 0 ? 6 + 2 * x * x : 6) << x;
  }
  EXPECT_EQ(normal_distribution(-std::numeric_limits<float>::infinity()), 0.0f);
  EXPECT_EQ(normal_distribution(std::numeric_limits<float>::infinity()), 1.0f);
  EXPECT_TRUE(std::isnan(normal_distribution(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Exponential, OfAFloatIsWithinTwoUlpAndTwoForEachOfItsArgument) {
  for (float x = -80; x < 80; x += 0.37f) {
    EXPECT_LE(ulp_between(std::exp(static_cast<double>(x)), exponential(x)), 2 + 2 * std::abs(x)) << x;
  }
}

}  // namespace
}  // namespace cupel::kernels
