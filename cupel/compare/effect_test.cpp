// The statistics of a row, and what they may be called.
#include <gtest/gtest.h>

#include "cupel/compare/comparison.hpp"
#include "cupel/compare/synthetic.hpp"
#include "cupel/stats/mann_whitney.hpp"

namespace cupel::compare {
namespace {

using figures::noisy_times;

TEST(Effect, OfFiveAgainstFiveSeparatedProcessesIsTheirHodgesLehmannRatio) {
  const std::vector<double> a{1.00, 1.01, 1.02, 1.03, 1.04}, b{2.00, 2.02, 2.04, 2.06, 2.08};

  const Effect result = effect(a, b, {});

  EXPECT_NEAR(result.ratio, 2.0, 1e-12);
  EXPECT_EQ(result.test, compare::Test::ranks);
  EXPECT_DOUBLE_EQ(result.p, 2.0 / 252);
  EXPECT_TRUE(result.suspect);
  EXPECT_EQ(judge(result, result.p, {}), Verdict::slower);
}

TEST(Effect, IsTestedWithTheOtherRowsWhereRanksCannotReachTheLevelAlone) {
  const std::vector<double> a{1.00, 1.01, 1.02, 1.03, 1.04}, b{2.00, 2.02, 2.04, 2.06, 2.08};

  EXPECT_EQ(effect(a, b, {}, 6).test, compare::Test::ranks);
  EXPECT_EQ(effect(a, b, {}, 7).test, compare::Test::permutation);
  EXPECT_DOUBLE_EQ(effect(a, b, {}, 300).p, 2.0 / 252);
}

TEST(Effect, OfOneProcessASideHasNoIntervalAndDecidesNothing) {
  const Effect result = effect(std::vector{1.0}, std::vector{2.0}, {});

  EXPECT_NEAR(result.ratio, 2.0, 1e-12);
  EXPECT_EQ(result.level, 0);
  EXPECT_FALSE(result.mde);
  EXPECT_EQ(judge(result, result.p, {}), Verdict::inconclusive);
}

TEST(Effect, OfEqualTimesOnACoarseClockIsNotFreeOfNoise) {
  const std::vector<double> times(5, 1e-6);

  const Effect result = effect(times, times, {});

  EXPECT_EQ(result.sigma, kLeastSigma);
  EXPECT_EQ(judge(result, result.p, {}), Verdict::same);
}

TEST(Effect, BelowTheToleranceIsNeverSlower) {
  stats::Random random(1);
  const std::vector<double> a = noisy_times(random, 12, 1, 1e-4), b = noisy_times(random, 12, 1.005, 1e-4);

  const Effect result = effect(a, b, {});

  EXPECT_LT(result.p, 1e-5);
  EXPECT_EQ(judge(result, result.p, {}), Verdict::same);
}

TEST(Judge, CallsASuspectThatIsNotProvenInconclusive) {
  const std::vector<double> a{1.00, 1.01, 1.02}, b{1.10, 1.11, 1.12};

  const Effect result = effect(a, b, {});

  EXPECT_TRUE(result.suspect);
  EXPECT_EQ(judge(result, 0.1, {}), Verdict::inconclusive);
  EXPECT_TRUE(processes_to_decide(result, {}));
}

// A true effect of the size of the MDE is rarely called SAME.
TEST(Mde, IsFoundInNineteenOfTwentyComparisons) {
  stats::Random random(7);
  const double sigma = 0.005;
  int same = 0;
  constexpr int kComparisons = 4000;
  Policy policy;
  policy.target = 0.02;
  const double mde = *effect(noisy_times(random, 7, 1, sigma), noisy_times(random, 7, 1, sigma), policy, 1, sigma).mde;
  for (int i = 0; i < kComparisons; ++i) {
    const Effect result =
        effect(noisy_times(random, 7, 1, sigma), noisy_times(random, 7, 1 + mde, sigma), policy, 1, sigma);
    if (!result.suspect) ++same;
  }

  // 5 % of 4000 are 200; the standard deviation of the count is 14.
  EXPECT_LT(same, 200 + 5 * 14);
}

TEST(ProcessesToDecide, AreTheFewestThatBringTheMdeWithinTheTarget) {
  const auto mde = [](int processes, double sigma) {
    const std::vector<double> same(static_cast<std::size_t>(processes), 1.0);
    return effect(same, same, {}, 1, sigma).mde;
  };
  for (const double sigma : {0.001, 0.01, 0.03, 0.05}) {
    Effect seen;
    seen.sigma = sigma;

    const int needed = *processes_to_decide(seen, {});

    EXPECT_LE(*mde(needed, sigma), 0.03) << sigma;
    if (needed > 5) {
      EXPECT_GT(*mde(needed - 1, sigma), 0.03) << sigma;
    }
  }
}

TEST(ProcessesToDecide, AreNotSaidWhereAThousandWouldNotDo) {
  Effect seen;
  seen.sigma = 1;

  EXPECT_EQ(processes_to_decide(seen, {}), std::nullopt);
}

}  // namespace
}  // namespace cupel::compare
