#include "cupel/timing/quick_streams.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cupel::timing {
namespace {

bool shows_two(const std::vector<double>& readings_us) { return shows_two_levels(readings_us); }

TEST(LevelsOfStreams, AreSeenOnceTwoReadingsLieOnEach) {
  EXPECT_TRUE(shows_two({2.49, 2.62, 2.51, 2.60}));
  EXPECT_TRUE(shows_two({2.62, 2.63, 2.61, 2.49, 2.50}));
}

TEST(LevelsOfStreams, AreNotSeenInTheNoiseOfOne) {
  EXPECT_FALSE(shows_two({2.46, 2.52, 2.49, 2.47, 2.52}));
  EXPECT_FALSE(shows_two({2.62, 2.62, 2.62, 2.62}));
}

TEST(LevelsOfStreams, AreNotBelievedFromASingleReading) {
  EXPECT_FALSE(shows_two({2.49, 2.62, 2.62, 2.63}));
  EXPECT_FALSE(shows_two({2.49, 2.50, 2.49, 9.00}));
}

TEST(LevelsOfStreams, TakeFourReadings) {
  EXPECT_FALSE(shows_two({}));
  EXPECT_FALSE(shows_two({2.49}));
  EXPECT_FALSE(shows_two({2.49, 2.62}));
  EXPECT_FALSE(shows_two({2.49, 2.62, 2.62}));
}

TEST(StreamToTake, IsTheQuickestWhereThereAreTwoLevels) {
  EXPECT_EQ(stream_to_take(std::vector{2.62e-6, 2.61e-6, 2.48e-6, 2.49e-6}), 2u);
}

TEST(StreamToTake, IsTheFirstWhereAllAreAlike) {
  EXPECT_EQ(stream_to_take(std::vector{2.50e-6, 2.49e-6, 2.48e-6, 2.51e-6}), 0u);
  EXPECT_EQ(stream_to_take(std::vector{2.50e-6}), 0u);
}

}  // namespace
}  // namespace cupel::timing
