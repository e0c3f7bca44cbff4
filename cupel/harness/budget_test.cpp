#include "cupel/harness/budget.hpp"

#include <gtest/gtest.h>

namespace cupel::harness {
namespace {

TEST(Budget, LeavesTheSamplingWholeWhereThereIsTimeForAll) {
  const Budget budget(100, 3, {{1, 2}, {1, 2}});

  EXPECT_EQ(budget.share(0, 0), 1.0);
}

TEST(Budget, CutsTheSamplingOfAllThatIsLeftAlike) {
  const Budget budget(12, 3, {{1, 2}, {1, 2}});

  EXPECT_EQ(budget.share(0, 0), 0.5);
  EXPECT_EQ(budget.share(1, 3), 0.25) << "what the others took beyond theirs is for all that is left";
}

TEST(Budget, TakesTheFewestSamplesWhereThereIsTimeForNoMore) {
  const Budget budget(5, 3, {{1, 2}, {1, 2}});

  EXPECT_EQ(budget.share(0, 0), 0.0);
}

TEST(Budget, BeginsNoRoundThatWouldNotEndInTime) {
  const Budget budget(5, 3, {{1, 2}, {3, 0}});

  EXPECT_EQ(budget.share(1, 2.5), std::nullopt);
  EXPECT_EQ(budget.share(0, 2.5), 0.0) << "a shorter one may still";
  EXPECT_EQ(budget.share(0, 4.5), std::nullopt);
}

TEST(Budget, ExpectsOfTheNextRoundWhatTheLastOneTook) {
  Budget budget(30, 3, {{1, 2}});

  budget.took(0, 8, 4, 1);

  EXPECT_EQ(budget.share(0, 20), 0.25) << "two rounds of 4 s, and of 4 s of sampling, in 10 s";
}

TEST(Budget, KnowsWhatAllOfTheSamplingWouldTakeFromAShareOfIt) {
  Budget budget(30, 3, {{1, 2}});

  budget.took(0, 6, 2, 0.5);

  EXPECT_EQ(budget.share(0, 20), 0.25) << "again two rounds of 4 s, and of 4 s of sampling, in 10 s";
}

TEST(Budget, ExpectsOthersToBeAsSlowAsThoseThatWereSeen) {
  Budget slow(1000, 1, {{99, 0}, {10, 0}}), quick = slow;

  slow.took(0, 299, 0, 1);
  quick.took(0, 99, 0, 1);

  EXPECT_EQ(slow.share(1, 980), std::nullopt) << "30 s in 20";
  EXPECT_EQ(quick.share(1, 980), 1.0);
}

TEST(Budget, LeavesTheTimeOfWhatHasNoMoreRoundsToOthers) {
  Budget budget(9, 3, {{1, 2}, {1, 2}});

  budget.done(1);

  EXPECT_EQ(budget.share(0, 0), 1.0);
}

}  // namespace
}  // namespace cupel::harness
