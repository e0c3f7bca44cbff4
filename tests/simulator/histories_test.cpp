// The level of `cupel history` under noises of sessions, and what it finds.
#include "tests/simulator/histories.hpp"

#include <gtest/gtest.h>

namespace cupel::simulator {
namespace {

// 0.2 % of 400 are 0.8: more than three are had once in a hundred cells.
TEST(SimulatedHistories, CallUnchangedCodeSlowerNoMoreOftenThanTheLevelWhateverTheNoise) {
  for (const Noise& noise : session_noises()) {
    for (const std::size_t sessions : {5u, 10u, 20u, 40u}) {
      const HistoryCounts counts = count_histories({.noise = noise, .sessions = sessions});

      EXPECT_LE(counts.slower, 3) << noise.name << ", " << sessions;
      EXPECT_EQ(counts.at_once, 0) << noise.name << ", " << sessions;
    }
  }
}

TEST(SimulatedHistories, FindFivePercentWithTheSessionsThatTheyAskFor) {
  const Noise normal = session_noises().front();
  for (const std::size_t sessions : {20u, 40u}) {
    const HistoryCounts counts = count_histories({.noise = normal, .sessions = sessions, .slowdown = 0.05});

    EXPECT_GE(counts.undecided, 390) << sessions;
    EXPECT_GE(counts.slower, 390) << sessions;
    EXPECT_LE(counts.asked, 3 * 400) << sessions;
  }
}

}  // namespace
}  // namespace cupel::simulator
