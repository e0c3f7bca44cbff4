#include "cupel/advice/paired_shift.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "cupel/stats/random.hpp"

namespace cupel::advice {
namespace {

using Values = std::vector<double>;

TEST(PairedShift, OfThreeIsStudentsIntervalWidenedToTheRange) {
  const PairedShift shift = paired_shift(Values{1, 2, 3});

  // t(0.975; 2) = 4.302653, standard deviation 1: 2 +- 4.302653 / sqrt(3).
  EXPECT_NEAR(shift.interval->low, 2 - 2.484138, 1e-6);
  EXPECT_NEAR(shift.interval->high, 2 + 2.484138, 1e-6);
  EXPECT_DOUBLE_EQ(shift.interval->level, 0.95);
  EXPECT_DOUBLE_EQ(shift.estimate, 2);
  EXPECT_FALSE(shift.exact);
}

TEST(PairedShift, HoldsAllOfFewDifferencesWhateverTheirSpread) {
  const Values values{0, 0, 0, 0, 1};

  const PairedShift shift = paired_shift(values);

  EXPECT_LE(shift.interval->low, 0);
  EXPECT_GE(shift.interval->high, 1);
}

TEST(PairedShift, OfSixIsExactFromSmallestToLargest) {
  const PairedShift shift = paired_shift(Values{6, 1, 5, 2, 4, 3});

  EXPECT_TRUE(shift.exact);
  EXPECT_DOUBLE_EQ(shift.interval->low, 1);
  EXPECT_DOUBLE_EQ(shift.interval->high, 6);
  EXPECT_DOUBLE_EQ(shift.interval->level, 1 - 2.0 / 64);
}

TEST(PairedShift, OfOneHasNoInterval) {
  const PairedShift shift = paired_shift(Values{0.5});

  EXPECT_DOUBLE_EQ(shift.estimate, 0.5);
  EXPECT_FALSE(shift.interval);
}

TEST(PairedShift, OfNothingIsRefused) { EXPECT_THROW(paired_shift({}), std::invalid_argument); }

TEST(LeastForExact, IsSixAtNinetyFivePercent) {
  EXPECT_EQ(least_for_exact(0.95), 6);
  EXPECT_EQ(least_for_exact(0.75), 3);
}

// 4000 simulated comparisons: the share has a standard deviation of 0.35 %.
void expect_coverage(int n, bool skewed) {
  stats::Random random(static_cast<std::uint64_t>(n) + (skewed ? 100 : 0));
  int covered = 0;
  constexpr int kRuns = 4000;
  for (int run = 0; run < kRuns; ++run) {
    Values differences;
    for (int i = 0; i < n; ++i) {
      // Before and after of one process have the same noise: the difference is symmetric even where the noise is not.
      const double noise = skewed ? random.exponential() - random.exponential() : random.normal();
      differences.push_back(0.3 + noise);
    }
    covered += paired_shift(differences).interval->contains(0.3) ? 1 : 0;
  }
  EXPECT_GE(covered, kRuns * 0.94) << n << (skewed ? " skewed" : " normal");
}

TEST(PairedShift, CoversTheTruthAsOftenAsItSays) {
  for (const int n : {2, 3, 5, 6, 7, 12}) {
    expect_coverage(n, false);
    expect_coverage(n, true);
  }
}

TEST(DifferencesFor, IsTheLeastWhoseHalfWidthIsBelowTheDistance) {
  const std::optional<int> needed = differences_for(1, 2.4);

  // 4.302653 / sqrt(3) = 2.484 is too wide, 3.182446 / sqrt(4) = 1.591 is not.
  EXPECT_EQ(needed, 4);
}

TEST(DifferencesFor, FallsAsTheDistanceGrows) {
  int before = 1001;
  for (double distance = 0.07; distance < 20; distance *= 1.05) {
    const int needed = differences_for(1, distance).value_or(1000);
    EXPECT_LE(needed, before) << distance;
    before = needed;
  }
  EXPECT_EQ(before, 2);
}

TEST(DifferencesFor, IsNothingBeyondAThousand) {
  EXPECT_FALSE(differences_for(1, 0.01));
  EXPECT_FALSE(differences_for(1, 0));
}

}  // namespace
}  // namespace cupel::advice
