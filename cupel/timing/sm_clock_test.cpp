#include "cupel/timing/sm_clock.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cupel::timing
