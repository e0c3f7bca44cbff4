#include "kernels/collective/values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cupel::kernels::collective {
namespace {

TEST(CollectiveValues, OfWholeKindAreSmallWholeNumbersThatDifferByRank) {
  const Values values{7, Kind::whole};
  int same = 0;

  for (int i = 0; i < 1000; ++i) {
    const float x = value(values, 0, i);
    EXPECT_EQ(x, std::round(x));
    EXPECT_LE(std::abs(x), kLargestWhole);
    same += x == value(values, 1, i);
  }

  EXPECT_LT(same, 30);
}

TEST(CollectiveSum, IsTheSumOverRanksAndOfWholeNumbersExact) {
  const Values values{7, Kind::whole};

  const Sum sum = sum_over_ranks(values, 3, 5);

  EXPECT_EQ(sum.value, value(values, 0, 5) + value(values, 1, 5) + value(values, 2, 5));
  EXPECT_EQ(sum.bound, 0);
}

// In fp32, first to last and last to first.
TEST(CollectiveSum, OfFractionsBoundsAdditionsInAnyOrder) {
  const Values values{11, Kind::fraction};
  constexpr int kRanks = 64;
  double worst = 0;

  for (int i = 0; i < 2000; ++i) {
    float up = 0, down = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
      up += value(values, rank, i);
      down += value(values, kRanks - 1 - rank, i);
    }
    const Sum sum = sum_over_ranks(values, kRanks, i);
    EXPECT_LE(std::abs(up - sum.value), sum.bound);
    EXPECT_LE(std::abs(down - sum.value), sum.bound);
    worst = std::max(worst, std::abs(up - sum.value));
  }

  EXPECT_GT(worst, 0);
}

// To eight bits, half to even.
double to_bf16(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, 8)), exponent - 8);
}

TEST(CollectiveSum, InBf16BoundsRoundedAdditionsInAnyOrder) {
  const Values values{11, Kind::fraction};
  constexpr int kRanks = 8;
  double worst = 0;

  for (int i = 0; i < 20000; ++i) {
    double two = to_bf16(value(values, 0, i)), all = two;
    two = to_bf16(two + to_bf16(value(values, 1, i)));
    for (int rank = 1; rank < kRanks; ++rank) all = to_bf16(all + to_bf16(value(values, rank, i)));
    const Sum of_two = bf16_sum_over_ranks(values, 2, i), of_all = bf16_sum_over_ranks(values, kRanks, i);
    EXPECT_LE(std::abs(two - of_two.value), of_two.bound);
    EXPECT_LE(std::abs(all - of_all.value), of_all.bound);
    worst = std::max(worst, std::abs(two - of_two.value) / of_two.bound);
  }

  EXPECT_GT(worst, 0.7);  // half of the bound would be too little
}

TEST(CollectiveSum, OfOneRankIsItsValue) {
  const Values values{3, Kind::fraction};

  EXPECT_EQ(sum_over_ranks(values, 1, 9).value, value(values, 0, 9));
  EXPECT_EQ(sum_over_ranks(values, 1, 9).bound, 0);
}

}  // namespace
}  // namespace cupel::kernels::collective
