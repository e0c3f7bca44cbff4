#include "cupel/verify/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "cupel/verify/generator.hpp"
#include "cupel/verify/tolerance.hpp"

namespace cupel::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const Tolerance kEverything{.absolute = kInfinity, .relative = 1, .ulps = ~std::uint64_t{0}};

template <typename T>
Comparison compared(const std::vector<T>& expected, const std::vector<T>& actual, const Tolerance& tolerance = {}) {
  return compare<T>(expected, actual, tolerance);
}

TEST(Compare, PassesEqualArrays) {
  const std::vector<double> values{1, 2, kInfinity, -kInfinity, 0};

  const Comparison result = compared(values, values);

  EXPECT_TRUE(result.passed());
  EXPECT_EQ(result.max_absolute_error, 0);
  EXPECT_EQ(result.relative_frobenius, 0);
}

TEST(Compare, NamesTheFirstMismatchWithBothValues) {
  const Comparison result = compared<double>({1, 2, 3, 4}, {1, 2.5, 3, 7}, {.absolute = 0.25});

  EXPECT_EQ(result.mismatches, 2u);
  EXPECT_EQ(result.first_mismatch, 1u);
  EXPECT_EQ(result.max_absolute_error, 3);
  EXPECT_EQ(result.max_at, 3u);
  EXPECT_EQ(result.message().substr(0, 95),
            "2 of 4 values are wrong; first at [1]: expected 2, got 2.5 (off by 0.5, allowed 0.25); greatest");
}

TEST(Compare, MeasuresTheRelativeFrobeniusNorm) {
  // Errors 3 and 4, expected 0 and 10.
  EXPECT_DOUBLE_EQ(compared<double>({0, 10}, {3, 14}).relative_frobenius, 0.5);
  EXPECT_EQ(compared<double>({0, 0}, {0, 1}).relative_frobenius, kInfinity);
}

TEST(Compare, TakesTheRelativeToleranceFromTheExpectedValue) {
  EXPECT_TRUE(compared<double>({100}, {101}, {.relative = 0.01}).passed());
  EXPECT_FALSE(compared<double>({100}, {101.1}, {.relative = 0.01}).passed());
  EXPECT_FALSE(compared<double>({0}, {1e-300}, {.relative = 0.01}).passed());
}

TEST(Compare, LetsNoNanPass) {
  EXPECT_FALSE(compared<double>({1}, {kNaN}, kEverything).passed());
  EXPECT_FALSE(compared<double>({kNaN}, {1}, kEverything).passed());
  EXPECT_FALSE(compared<double>({kNaN}, {kNaN}, kEverything).passed());
  EXPECT_EQ(compared<double>({1}, {kNaN}).max_absolute_error, kInfinity);
  EXPECT_EQ(compared<double>({kNaN}, {1}).relative_frobenius, kInfinity);
}

TEST(Compare, LetsAnInfinityPassOnlyForItself) {
  EXPECT_TRUE(compared<double>({kInfinity}, {kInfinity}).passed());
  EXPECT_FALSE(compared<double>({kInfinity}, {-kInfinity}, kEverything).passed());
  EXPECT_FALSE(compared<double>({kInfinity}, {1}, kEverything).passed());
  EXPECT_FALSE(compared<double>({1}, {kInfinity}, kEverything).passed());
}

TEST(Compare, CountsUlps) {
  const float one = 1;
  const float next = std::nextafter(one, 2.0f);

  EXPECT_FALSE(compared<float>({one}, {next}).passed());
  EXPECT_TRUE(compared<float>({one}, {next}, {.ulps = 1}).passed());
  EXPECT_FALSE(compared<float>({one}, {std::nextafter(next, 2.0f)}, {.ulps = 1}).passed());
}

TEST(Compare, TakesIntegersOfAnySize) {
  const std::int64_t large = std::numeric_limits<std::int64_t>::max();

  EXPECT_FALSE(compared<std::int64_t>({large}, {large - 1}).passed());
  EXPECT_EQ(compared<std::int64_t>({large}, {large - 1}).max_absolute_error, 1);
  EXPECT_EQ(compared<std::int64_t>({-large - 1}, {large}).max_absolute_error, 0x1p64);
  EXPECT_EQ(compared<std::uint8_t>({0}, {255}).max_absolute_error, 255);
}

TEST(Compare, PassesNothingForNothing) { EXPECT_TRUE(compared<float>({}, {}).passed()); }

TEST(Compare, RefusesArraysOfDifferentLength) {
  EXPECT_THROW(compared<float>({1}, {1, 2}), std::invalid_argument);
  EXPECT_THROW(compare_within<float>(std::vector{1.0f}, std::vector{1.0f}, std::vector<double>{}),
               std::invalid_argument);
}

TEST(CompareWithin, HoldsEachValueAgainstItsOwnBound) {
  const std::vector<double> expected{1, 1};
  const std::vector<double> actual{1.5, 1.5};

  const Comparison result = compare_within<double>(expected, actual, std::vector{0.5, 0.25});

  EXPECT_EQ(result.mismatches, 1u);
  EXPECT_EQ(result.first_mismatch, 1u);
}

TEST(CompareBits, TellsZerosApartAndNansNot) {
  EXPECT_FALSE(compare_bits<double>(std::vector{0.0}, std::vector{-0.0}).passed());
  EXPECT_TRUE(compare_bits<double>(std::vector{kNaN}, std::vector{kNaN}).passed());
  EXPECT_TRUE(compared<double>({0.0}, {-0.0}).passed());
}

TEST(UlpDistance, CountsRepresentableNumbers) {
  EXPECT_EQ(ulp_distance(1.0, 1.0), 0u);
  EXPECT_EQ(ulp_distance(1.0, std::nextafter(1.0, 2.0)), 1u);
  EXPECT_EQ(ulp_distance(0.0, -0.0), 0u);
  EXPECT_EQ(ulp_distance(-std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::denorm_min()), 2u);
  EXPECT_EQ(ulp_distance(1.0f, 2.0f), 1u << 23);
  EXPECT_EQ(ulp_distance(-1.0f, 1.0f), ulp_distance(1.0f, -1.0f));
  EXPECT_EQ(ulp_distance(-kInfinity, kInfinity), 2 * 0x7ff0000000000000u);
  EXPECT_EQ(ulp_distance(kNaN, kNaN), ~std::uint64_t{0});
}

TEST(Tolerance, KnowsTheUnitRoundoffs) {
  EXPECT_EQ(unit_roundoff(Precision::fp64), std::numeric_limits<double>::epsilon() / 2);
  EXPECT_EQ(unit_roundoff(Precision::fp32), std::numeric_limits<float>::epsilon() / 2);
  EXPECT_EQ(unit_roundoff(Precision::fp16), 1.0 / 2048);
  EXPECT_EQ(unit_roundoff(Precision::bf16), 1.0 / 256);
}

TEST(Tolerance, RefusesABoundThatSaysNothing) {
  EXPECT_THROW(sum_bound(1 << 12, Precision::fp16, Precision::fp16), std::invalid_argument);
}

TEST(Tolerance, OfASumOfOneTermIsItsRounding) {
  EXPECT_EQ(sum_bound(1, Precision::fp32, Precision::fp32), 0);
  EXPECT_EQ(sum_bound(0, Precision::fp32, Precision::fp32), 0);
  EXPECT_EQ(sum_bound(1, Precision::fp32, Precision::fp16), 1.0 / 2048);
}

// Sums in float of seeded values against the same in double: inside the bound, and not so far inside that it would not
// see a wrong sum. Rounding errors of n positive terms add up at random to 1 / (3 sqrt(n)) of the bound, here 1 / 192.
TEST(Tolerance, BoundsTheErrorOfASum) {
  double closest = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<float> terms(4096);
    fill_uniform<float>(terms, seed);
    float sum = 0;
    double exact = 0;
    double magnitudes = 0;
    for (const float x : terms) {
      sum += x;
      exact += x;
      magnitudes += std::abs(x);
    }
    const double bound = sum_bound(4096, Precision::fp32, Precision::fp32) * magnitudes;

    EXPECT_LE(std::abs(sum - exact), bound);
    closest = std::max(closest, std::abs(sum - exact) / bound);
  }

  EXPECT_GT(closest, 1e-3);
}

TEST(Tolerance, BoundsTheErrorOfADotProductAndCatchesAMissingTerm) {
  constexpr std::size_t kLength = 1024;
  std::vector<float> a(kLength), b(kLength);
  fill_normal<float>(a, 1);
  fill_normal<float>(b, 2);
  float sum = 0;
  double exact = 0;
  double magnitudes = 0;
  for (std::size_t i = 0; i < kLength; ++i) {
    sum += a[i] * b[i];
    exact += static_cast<double>(a[i]) * b[i];
    magnitudes += std::abs(static_cast<double>(a[i]) * b[i]);
  }

  const double bound = gemm_bound(kLength, {}) * magnitudes;

  EXPECT_LE(std::abs(sum - exact), bound);
  EXPECT_GT(std::abs(a[7] * b[7]), bound);
}

TEST(Tolerance, OfTensorCoresIsTwiceAsWide) {
  const double rounded = gemm_bound(512, {.accumulate = Precision::fp32, .output = Precision::fp32});
  const double cut = gemm_bound(512, {.accumulate = Precision::fp32, .output = Precision::fp32, .tensor_cores = true});

  EXPECT_NEAR(cut / rounded, 2, 1e-3);
  EXPECT_NEAR(gemm_bound(512, {.accumulate = Precision::fp32, .output = Precision::fp16}), 0x1p-11 + 512 * 0x1p-24,
              1e-7);
}

}  // namespace
}  // namespace cupel::verify
