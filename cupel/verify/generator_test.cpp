#include "cupel/verify/generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace cupel::verify {
namespace {

constexpr std::uint64_t kCount = 100'000;

TEST(Generator, GivesTheSameValueForTheSameSeedAndIndex) {
  std::vector<float> whole(1000);
  fill_uniform<float>(whole, 7, -1, 1);

  const Generator random(7);
  for (const std::uint64_t i : {999u, 0u, 31u}) {
    EXPECT_EQ(whole[i], static_cast<float>(-1 + 2 * random.uniform(i)));
  }
}

TEST(Generator, GivesUnrelatedValuesForNeighbouringSeeds) {
  double product = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    product += (Generator(1).uniform(i) - 0.5) * (Generator(2).uniform(i) - 0.5) * 12;
  }

  // The sum of n products of independent standard values has sd sqrt(n).
  EXPECT_LT(std::abs(product), 4 * std::sqrt(kCount));
}

TEST(Generator, DoesNotRepeatAValueAtAShiftedIndexOfTheNextSeed) {
  std::set<std::uint64_t> first;
  for (std::uint64_t i = 0; i < 1000; ++i) first.insert(Generator(1).bits(i));

  EXPECT_EQ(first.size(), 1000u);
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_FALSE(first.contains(Generator(2).bits(i)));
}

TEST(Generator, UniformFillsItsRangeEvenly) {
  std::array<int, 100> hits{};
  double lowest = 1;
  double highest = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const double u = Generator(3).uniform(i);
    lowest = std::min(lowest, u);
    highest = std::max(highest, u);
    ++hits[static_cast<std::size_t>(u * 100)];
  }

  EXPECT_GE(lowest, 0);
  EXPECT_LT(highest, 1);
  double chi_squared = 0;
  for (const int h : hits) chi_squared += (h - 1000.0) * (h - 1000.0) / 1000.0;
  // 99 degrees of freedom: above 160 once in 10,000.
  EXPECT_LT(chi_squared, 160);
}

TEST(Generator, FloatUniformIsBelowOne) {
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const float u = Generator(4).uniform_float(i);
    ASSERT_GE(u, 0.0f);
    ASSERT_LT(u, 1.0f);
  }
}

TEST(Generator, NormalHasTheMomentsOfANormal) {
  double sum = 0;
  double squares = 0;
  double fourths = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const double z = Generator(5).normal(i);
    sum += z;
    squares += z * z;
    fourths += z * z * z * z;
  }

  // Four sd of each moment's estimate: sqrt(1), sqrt(2) and sqrt(96) over sqrt(n).
  const double n = kCount;
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2 / n));
  EXPECT_NEAR(fourths / n, 3, 4 * std::sqrt(96 / n));
}

TEST(Generator, SmallIntegersReachBothEndsAndNoFurther) {
  std::array<int, 7> hits{};
  for (std::uint64_t i = 0; i < 7000; ++i) {
    const int v = Generator(6).small_integer(i, -3, 3);
    ASSERT_GE(v, -3);
    ASSERT_LE(v, 3);
    ++hits[static_cast<std::size_t>(v + 3)];
  }

  for (const int h : hits) EXPECT_NEAR(h, 1000, 150);
}

TEST(Generator, SmallIntegersTakeTheWholeRangeOfInt) {
  const Generator random(8);

  EXPECT_EQ(random.small_integer(0, -2147483647 - 1, -2147483647 - 1), -2147483647 - 1);
  EXPECT_GE(random.small_integer(1, 0, 2147483647), 0);
}

TEST(Generator, SignsAreAsDenseAsAskedForAndOfEitherKind) {
  for (const double density : {0.0, 0.01, 0.5, 1.0}) {
    int plus = 0, minus = 0;
    for (std::uint64_t i = 0; i < kCount; ++i) {
      const int v = Generator(7).sign(i, density);
      ASSERT_LE(std::abs(v), 1);
      plus += v == 1 ? 1 : 0;
      minus += v == -1 ? 1 : 0;
    }
    // Five standard deviations of a count.
    const double expected = static_cast<double>(kCount) * density / 2;
    EXPECT_NEAR(plus, expected, 5 * std::sqrt(expected)) << density;
    EXPECT_NEAR(minus, expected, 5 * std::sqrt(expected)) << density;
  }
}

TEST(Generator, SignsOfDensityOneAreNeverZero) {
  for (std::uint64_t i = 0; i < kCount; ++i) ASSERT_NE(Generator(7).sign(i, 1), 0);
}

TEST(Generator, FillsWithWholeNumbers) {
  std::vector<double> values(1000);
  fill_small_integers<double>(values, 9, -8, 8);

  for (const double v : values) EXPECT_EQ(v, std::nearbyint(v));
}

TEST(Generator, FillsNormalsAroundTheMean) {
  std::vector<float> values(10000);
  fill_normal<float>(values, 10, 100, 2);

  double sum = 0;
  for (const float v : values) sum += v;
  EXPECT_NEAR(sum / 10000, 100, 4 * 2 / 100.0);
}

}  // namespace
}  // namespace cupel::verify
