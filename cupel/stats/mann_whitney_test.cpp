#include "cupel/stats/mann_whitney.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "cupel/stats/null_distribution.hpp"
#include "cupel/stats/random.hpp"
#include "cupel/stats/reference/test_reference.hpp"

namespace cupel::stats {
namespace {

using reference::expect_equal;
using Values = std::vector<double>;

// U of b against a, by its definition.
double u_of(const Values& a, const Values& b) {
  double u = 0;
  for (const double x : a) {
    for (const double y : b) u += y > x ? 1 : y == x ? 0.5 : 0;
  }
  return u;
}

// Share of all ways to deal the pooled values out again that give a U at least as large.
double permutation_p(const Values& a, const Values& b) {
  Values pooled = a;
  pooled.insert(pooled.end(), b.begin(), b.end());
  const double seen = u_of(a, b);
  double ways = 0;
  double extreme = 0;
  for (std::uint32_t dealt = 0; dealt < (1u << pooled.size()); ++dealt) {
    if (std::popcount(dealt) != static_cast<int>(b.size())) continue;
    Values x, y;
    for (std::size_t i = 0; i < pooled.size(); ++i) (dealt >> i & 1 ? y : x).push_back(pooled[i]);
    ways += 1;
    extreme += u_of(x, y) >= seen;
  }
  return extreme / ways;
}

Values random_values(std::size_t n, Random& random, std::size_t distinct) {
  Values values(n);
  for (double& x : values) x = distinct == 0 ? random.normal() : static_cast<double>(random.below(distinct));
  return values;
}

TEST(MannWhitney, NullEqualsScipysForAllSizesUpTo20) {
  for (const auto& c : reference::kRankSum) {
    const auto null = rank_sum_null(c.n, c.m);

    expect_equal(null->at_most(c.u), c.at_most);
    expect_equal(null->at_least(static_cast<std::ptrdiff_t>(c.n * c.m) - c.u), c.at_most);
    expect_equal(rank_sum_null(c.m, c.n)->at_most(c.u), c.at_most);
  }
}

TEST(MannWhitney, EqualsScipysExactTest) {
  for (const auto& c : reference::kTwoSamples) {
    const RankTest test = mann_whitney(c.a, c.b);

    EXPECT_EQ(test.u, c.u);
    expect_equal(test.p_greater, c.p_greater);
    expect_equal(test.p_less, c.p_less);
    expect_equal(test.p_two_sided, c.p_two_sided);
  }
}

TEST(MannWhitney, EqualsScipysPermutationTestWhereValuesAreTied) {
  for (const auto& c : reference::kTied) {
    const RankTest test = mann_whitney(c.a, c.b);

    EXPECT_EQ(test.u, c.u);
    expect_equal(test.p_greater, c.p_greater);
    expect_equal(test.p_less, c.p_less);
  }
}

TEST(MannWhitney, EqualsScipysApproximationForLargeSamples) {
  for (const auto& c : reference::kLarge) {
    const RankTest test = mann_whitney(c.a, c.b);

    EXPECT_EQ(test.u, c.u);
    expect_equal(test.p_greater, c.p_greater);
    expect_equal(test.p_less, c.p_less);
    expect_equal(test.p_two_sided, c.p_two_sided);
  }
}

TEST(MannWhitney, IsNeverBelowTheExactPermutationP) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const Values a = random_values(1 + random.below(5), random, 4);
    const Values b = random_values(1 + random.below(5), random, 4);

    // Not below but for the rounding of a sum of at most 252 terms.
    EXPECT_GE(mann_whitney(a, b).p_greater, permutation_p(a, b) * (1 - 1e-13));
    EXPECT_NEAR(mann_whitney(a, b).p_greater, permutation_p(a, b), 1e-12);
  }
}

TEST(MannWhitney, DoesNotRejectTooOftenByRoundingTies) {
  // Half of the deals of {0, 0, 0, 1} put the 1 into b.
  EXPECT_DOUBLE_EQ(mann_whitney(Values{0, 0}, Values{0, 1}).p_greater, 0.5);
}

TEST(MannWhitney, MirrorsWhenTheSidesAreSwapped) {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    const std::size_t distinct = round % 2 == 0 ? 0 : 6;
    const Values a = random_values(1 + random.below(12), random, distinct);
    const Values b = random_values(1 + random.below(12), random, distinct);

    const RankTest there = mann_whitney(a, b);
    const RankTest back = mann_whitney(b, a);

    expect_equal(there.p_greater, back.p_less);
    expect_equal(there.p_less, back.p_greater);
    expect_equal(there.p_two_sided, back.p_two_sided);
  }
}

TEST(MannWhitney, DependsOnTheOrderOfValuesOnly) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    Values a = random_values(7, random, 0);
    Values b = random_values(9, random, 0);
    const RankTest before = mann_whitney(a, b);

    random.shuffle(std::span(a));
    random.shuffle(std::span(b));
    for (double& x : a) x = std::exp(3 * x);
    for (double& x : b) x = std::exp(3 * x);

    EXPECT_EQ(mann_whitney(a, b).p_greater, before.p_greater);
  }
}

TEST(MannWhitney, OfASampleWithItselfRejectsNothing) {
  Random random(4);
  for (const std::size_t n : {1u, 5u, 12u, 50u}) {
    const Values a = random_values(n, random, 0);

    EXPECT_GE(mann_whitney(a, a).p_greater, 0.5);
    EXPECT_GE(mann_whitney(a, a).p_less, 0.5);
  }
}

TEST(MannWhitney, OfEqualValuesGivesOne) {
  EXPECT_EQ(mann_whitney(Values{2, 2, 2}, Values{2, 2}).p_two_sided, 1);
  EXPECT_EQ(mann_whitney(Values(80, 2.0), Values(80, 2.0)).p_two_sided, 1);
}

TEST(MannWhitney, RejectsAtItsLevel) {
  Random random(5);
  int rejected = 0;
  constexpr int kRuns = 20'000;
  for (int run = 0; run < kRuns; ++run) {
    rejected += mann_whitney(random_values(7, random, 0), random_values(7, random, 0)).p_greater <= 0.05;
  }

  // The greatest attainable p at or below 5 % of 7 against 7 is 167 / 3432.
  const double level = 167.0 / 3432;
  EXPECT_NEAR(rejected / static_cast<double>(kRuns), level, 4 * std::sqrt(level / kRuns));
}

TEST(MannWhitney, IsCloseToItsApproximationWhereTheExactOneEnds) {
  const auto null = rank_sum_null(100, 100);
  const double deviation = std::sqrt(100.0 * 100 * 201 / 12);
  double worst = 0;
  for (std::ptrdiff_t u = 0; u <= 5000; ++u) {
    const double z = (5000 - static_cast<double>(u) - 0.5) / deviation;
    const double approximate = 0.5 * std::erfc(z / std::sqrt(2.0));
    worst = std::max(worst, std::abs(approximate - null->at_most(u)));
    if (approximate < 1e-4) {
      ASSERT_GE(approximate, null->at_most(u)) << u;
    }
  }

  EXPECT_LT(worst, 4.2e-4);
}

TEST(MannWhitney, RefusesEmptySamplesAndNan) {
  EXPECT_THROW(mann_whitney({}, Values{1}), std::invalid_argument);
  EXPECT_THROW(mann_whitney(Values{1}, Values{std::nan("")}), std::invalid_argument);
}

TEST(PGreaterBy, AsksForMoreThanTheMargin) {
  const Values a{1.0, 1.1, 1.2, 1.3};
  const Values b{2.0, 2.1, 2.2, 2.3};

  EXPECT_DOUBLE_EQ(p_greater_by(0, a, b), 1.0 / 70);
  EXPECT_DOUBLE_EQ(p_greater_by(0.6, a, b), 1.0 / 70);
  EXPECT_DOUBLE_EQ(p_greater_by(5, a, b), 1);
}

TEST(SmallestP, IsThatOfSeparatedSamples) {
  EXPECT_DOUBLE_EQ(smallest_p(5, 5), 1.0 / 252);
  expect_equal(smallest_p(12, 12), 1.0 / 2704156);
  expect_equal(smallest_p(4, 9), rank_sum_null(9, 4)->at_least(36));
}

}  // namespace
}  // namespace cupel::stats
