#include "cupel/report/page/scale.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cupel::report::html {
namespace {

TEST(Scale, PutsItsEndsAtTheEndsOfTheAxis) {
  const Scale scale(Scale::Kind::linear, 0, 10, 300, 20);

  EXPECT_DOUBLE_EQ(scale.at(0), 300);
  EXPECT_DOUBLE_EQ(scale.at(10), 20);
  EXPECT_DOUBLE_EQ(scale.at(5), 160);
}

TEST(Scale, GivesEachDecadeTheSameRoomWhereItIsLogarithmic) {
  const Scale scale(Scale::Kind::logarithmic, 1, 1000, 0, 300);

  EXPECT_NEAR(scale.at(10), 100, 1e-9);
  EXPECT_NEAR(scale.at(100), 200, 1e-9);
}

TEST(Scale, TakesWhatLiesOutsideToItsEnds) {
  const Scale scale(Scale::Kind::logarithmic, 1, 1000, 0, 300);

  EXPECT_DOUBLE_EQ(scale.at(0), 0);
  EXPECT_DOUBLE_EQ(scale.at(1e9), 300);
}

TEST(Scale, RefusesAnEmptyOrImpossibleRange) {
  EXPECT_THROW(Scale(Scale::Kind::linear, 1, 1, 0, 1), std::invalid_argument);
  EXPECT_THROW(Scale(Scale::Kind::logarithmic, 0, 1, 0, 1), std::invalid_argument);
}

TEST(RoundValues, AreOnesTwosAndFives) {
  const Scale scale(Scale::Kind::linear, 0, 63, 0, 1);

  EXPECT_EQ(round_values(scale, 4), (std::vector<double>{0, 20, 40, 60}));
}

TEST(RoundValues, OfManyDecadesArePowersOfTenOnly) {
  const Scale scale(Scale::Kind::logarithmic, 1, 1e6, 0, 1);

  EXPECT_EQ(round_values(scale, 6).size(), 7u);
}

TEST(RoundValues, OfASingleDecadeHaveStepsBetween) {
  const Scale scale(Scale::Kind::logarithmic, 1, 10, 0, 1);

  EXPECT_EQ(round_values(scale, 6), (std::vector<double>{1, 2, 5, 10}));
}

TEST(RoundValues, StayFewOverAnyRange) {
  const Scale scale(Scale::Kind::logarithmic, 1e-30, 1e30, 0, 1);

  EXPECT_LE(round_values(scale, 6).size(), 8u);
  EXPECT_LE(round_values(scale, 6, Round::binary).size(), 8u);
}

TEST(RoundValues, OfSizesArePowersOfTwoOrTheirMultiples) {
  const Scale linear(Scale::Kind::linear, 0, 3100, 0, 1), logarithmic(Scale::Kind::logarithmic, 3, 70, 0, 1);

  EXPECT_EQ(round_values(linear, 4, Round::binary), (std::vector<double>{0, 1024, 2048, 3072}));
  EXPECT_EQ(round_values(logarithmic, 6, Round::binary), (std::vector<double>{4, 8, 16, 32, 64}));
  EXPECT_EQ(round_values(logarithmic, 2, Round::binary), (std::vector<double>{4, 16, 64}));
}

TEST(ScaleAround, IsAtLeastAFactorOfFourWide) {
  const Scale scale = scale_around({1, 1}, 0, 1);

  EXPECT_NEAR(scale.high() / scale.low(), 4, 1e-12);
  EXPECT_NEAR(scale.at(1), 0.5, 1e-12);
}

TEST(ScaleNear, IsAtLeastAFifthOfTheLargestWideAndHoldsItsValues) {
  const Scale alike = scale_near({1, 1}, 0, 1), apart = scale_near({1, 3}, 0, 1);

  EXPECT_NEAR(alike.high() - alike.low(), 0.2, 1e-12);
  EXPECT_NEAR(alike.at(1), 0.5, 1e-12);
  EXPECT_LT(apart.low(), 1);
  EXPECT_GT(apart.high(), 3);
}

TEST(ScaleNear, DoesNotGoBelowZero) { EXPECT_EQ(scale_near({0.01, 10}, 0, 1).low(), 0); }

TEST(ScaleFromZero, HoldsItsValues) {
  const Scale scale = scale_from_zero({3, 7}, 0, 1);

  EXPECT_EQ(scale.low(), 0);
  EXPECT_GT(scale.high(), 7);
}

}  // namespace
}  // namespace cupel::report::html
