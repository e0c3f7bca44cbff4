#include "cupel/timing/steady.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cupel::timing {
namespace {

const std::vector<Stretch> kAlike(kStretchesAlike, {1e-3, 1.6e9, 690.0});

std::vector<Stretch> with_last(const Stretch& last) {
  std::vector<Stretch> stretches = kAlike;
  stretches.back() = last;
  return stretches;
}

TEST(IsSteady, WhereTimeClockAndPowerHaveComeToRest) { EXPECT_TRUE(is_steady(kAlike)); }

TEST(IsSteady, NotBeforeThereAreEnoughStretches) {
  EXPECT_FALSE(is_steady({}));
  EXPECT_FALSE(is_steady(std::span(kAlike).first(kStretchesAlike - 1)));
}

TEST(IsSteady, NotWhileOneOfThemMoves) {
  EXPECT_FALSE(is_steady(with_last({1.011e-3, 1.6e9, 690.0})));
  EXPECT_FALSE(is_steady(with_last({1e-3, 1.58e9, 690.0})));
  EXPECT_FALSE(is_steady(with_last({1e-3, 1.6e9, 660.0})));
}

TEST(IsSteady, LooksAtTheLastStretchesAlone) {
  std::vector<Stretch> stretches = kAlike;
  stretches.insert(stretches.begin(), {2e-3, 1.98e9, 100.0});

  EXPECT_TRUE(is_steady(stretches));
}

TEST(IsSteady, GoesByTheTimeWhereNothingElseIsRead) {
  EXPECT_TRUE(is_steady(std::vector<Stretch>(kStretchesAlike, {1e-3, std::nullopt, std::nullopt})));
}

}  // namespace
}  // namespace cupel::timing
