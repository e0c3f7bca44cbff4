#include "cupel/verify/compare.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace cupel::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const Tolerance kEverything{.absolute = kInfinity, .relative = 1};

Agreement compared(const std::vector<double>& expected, const std::vector<double>& actual,
                   const Tolerance& tolerance = {}) {
  return compare(expected, actual, tolerance);
}

TEST(Compare, PassesEqualArrays) {
  const std::vector<double> values{1, 2, kInfinity, -kInfinity, 0};

  const Agreement result = compared(values, values);

  EXPECT_TRUE(result.passed());
  EXPECT_EQ(result.max_absolute_error, 0);
  EXPECT_EQ(result.relative_frobenius, 0);
}

TEST(Compare, NamesTheFirstMismatchWithBothValues) {
  const Agreement result = compared({1, 2, 3, 4}, {1, 2.5, 3, 7}, {.absolute = 0.25});

  EXPECT_EQ(result.mismatches, 2u);
  EXPECT_EQ(result.first_mismatch, 1u);
  EXPECT_EQ(result.max_absolute_error, 3);
  EXPECT_EQ(result.max_at, 3u);
  EXPECT_EQ(result.message().substr(0, 95),
            "2 of 4 values are wrong; first at [1]: expected 2, got 2.5 (off by 0.5, allowed 0.25); greatest");
}

TEST(Compare, MeasuresTheRelativeFrobeniusNorm) {
  // Errors 3 and 4, expected 0 and 10.
  EXPECT_DOUBLE_EQ(compared({0, 10}, {3, 14}).relative_frobenius, 0.5);
  EXPECT_EQ(compared({0, 0}, {0, 1}).relative_frobenius, kInfinity);
}

TEST(Compare, TakesTheRelativeToleranceFromTheExpectedValue) {
  EXPECT_TRUE(compared({100}, {101}, {.relative = 0.01}).passed());
  EXPECT_FALSE(compared({100}, {101.1}, {.relative = 0.01}).passed());
  EXPECT_FALSE(compared({0}, {1e-300}, {.relative = 0.01}).passed());
}

TEST(Compare, LetsNoNanPass) {
  EXPECT_FALSE(compared({1}, {kNaN}, kEverything).passed());
  EXPECT_FALSE(compared({kNaN}, {1}, kEverything).passed());
  EXPECT_FALSE(compared({kNaN}, {kNaN}, kEverything).passed());
  EXPECT_EQ(compared({1}, {kNaN}).max_absolute_error, kInfinity);
  EXPECT_EQ(compared({kNaN}, {1}).relative_frobenius, kInfinity);
}

TEST(Compare, LetsAnInfinityPassOnlyForItself) {
  EXPECT_TRUE(compared({kInfinity}, {kInfinity}).passed());
  EXPECT_FALSE(compared({kInfinity}, {-kInfinity}, kEverything).passed());
  EXPECT_FALSE(compared({kInfinity}, {1}, kEverything).passed());
  EXPECT_FALSE(compared({1}, {kInfinity}, kEverything).passed());
}

TEST(Compare, TakesZerosOfEitherSignForEqual) { EXPECT_TRUE(compared({0.0}, {-0.0}).passed()); }

TEST(Compare, PassesNothingForNothing) { EXPECT_TRUE(compared({}, {}).passed()); }

TEST(Compare, RefusesArraysOfDifferentLength) { EXPECT_THROW(compared({1}, {1, 2}), std::invalid_argument); }

}  // namespace
}  // namespace cupel::verify
