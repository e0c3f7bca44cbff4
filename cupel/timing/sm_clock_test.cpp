#include "cupel/timing/sm_clock.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace cupel::timing {
namespace {

TEST(HasRecovered, WithinAStepAndAHalfOf15MHz) {
  EXPECT_TRUE(has_recovered(2800e6, 2800e6));
  EXPECT_TRUE(has_recovered(2785e6, 2800e6)) << "one step down, which is 0.54 %";
  EXPECT_TRUE(has_recovered(2779e6, 2800e6)) << "and what a reading is off";
  EXPECT_FALSE(has_recovered(2770e6, 2800e6)) << "two steps down";
  EXPECT_TRUE(has_recovered(1965e6, 1980e6));
  EXPECT_FALSE(has_recovered(1950e6, 1980e6));
}

TEST(HasRecovered, WithinHalfAPercentWhereThatIsMore) {
  EXPECT_TRUE(has_recovered(5976e6, 6000e6)) << "24 MHz";
  EXPECT_FALSE(has_recovered(5969e6, 6000e6)) << "31 MHz";
}

TEST(HasRecovered, AboveTheMark) { EXPECT_TRUE(has_recovered(3000e6, 2800e6)); }

// Tells whether one of the readings was the third in a row; without it, the wait is given up.
bool recovers(ClockMark& mark, std::initializer_list<double> readings_hz) {
  mark.wait();
  for (const double hz : readings_hz) {
    if (mark.saw(hz)) return true;
  }
  mark.give_up();
  return false;
}

ClockMark at_1980_of(std::optional<double> declared_hz) {
  ClockMark mark(declared_hz);
  mark.set(1980e6);
  return mark;
}

TEST(ClockMark, TakesThreeReadingsInARow) {
  ClockMark mark = at_1980_of({});
  EXPECT_FALSE(recovers(mark, {1980e6, 1980e6, 1800e6, 1980e6, 1980e6}));
  EXPECT_TRUE(recovers(mark, {1800e6, 1980e6, 1980e6, 1980e6}));
  EXPECT_FALSE(recovers(mark, {1980e6})) << "those of the wait before do not count";
}

TEST(ClockMark, RisesToTheLowestOfThreeThatHeld) {
  ClockMark mark = at_1980_of({});
  EXPECT_TRUE(recovers(mark, {2040e6, 2025e6, 2085e6}));
  EXPECT_EQ(mark.hz(), 2025e6);
  EXPECT_TRUE(recovers(mark, {2010e6, 2010e6, 2010e6}));
  EXPECT_EQ(mark.hz(), 2025e6) << "and does not fall";
}

TEST(ClockMark, IsNeverMoreThanTheBoardDeclares) {
  ClockMark mark = at_1980_of(1980e6);
  EXPECT_TRUE(recovers(mark, {2085e6, 2085e6, 2085e6}));
  EXPECT_EQ(mark.hz(), 1980e6);
  EXPECT_TRUE(recovers(mark, {1980e6, 1979e6, 1980e6})) << "so that its own clock is enough";
  mark.set(2085e6);
  EXPECT_EQ(mark.hz(), 1980e6) << "nor if a process begins with such a reading";
}

TEST(ClockMark, IsTheLastReadingAfterThreeWaitsInVain) {
  ClockMark mark = at_1980_of(1980e6);
  EXPECT_FALSE(recovers(mark, {1700e6}));
  EXPECT_FALSE(recovers(mark, {1700e6}));
  EXPECT_TRUE(recovers(mark, {1980e6, 1980e6, 1980e6})) << "one that was not in vain begins the count again";
  EXPECT_FALSE(recovers(mark, {1700e6}));
  EXPECT_FALSE(recovers(mark, {1700e6}));
  EXPECT_EQ(mark.hz(), 1980e6);
  EXPECT_FALSE(recovers(mark, {1710e6, 1695e6}));
  EXPECT_EQ(mark.hz(), 1695e6);
  EXPECT_TRUE(recovers(mark, {1695e6, 1695e6, 1695e6}));
}

TEST(ClockMark, CanBeNoHigherThanWhatTheBoardDeclares) {
  EXPECT_TRUE(ClockMark(1980e6).is_highest(1975e6));
  EXPECT_TRUE(ClockMark(1980e6).is_highest(1995e6));
  EXPECT_FALSE(ClockMark(1980e6).is_highest(1950e6));
  EXPECT_FALSE(ClockMark(std::nullopt).is_highest(1980e6)) << "the board does not say";
}

}  // namespace
}  // namespace cupel::timing
