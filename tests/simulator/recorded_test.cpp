// The figures that the gate promises, counted on random splits of recorded processes.
#include "tests/simulator/recorded.hpp"

#include <gtest/gtest.h>

namespace cupel::simulator {
namespace {

// The level of 0.2 % allows 12 of 6,000.
TEST(Acceptance, AlarmsNoOftenerThanItsLevelOnRandomSplitsOfRecordedProcesses) {
  const auto recorded = read_recorded("h200_process_locations.json");
  ASSERT_EQ(recorded.size(), 3u);
  int alarms = 0;
  for (const auto& [mode, locations] : recorded) {
    ASSERT_EQ(locations.size(), 28u);
    alarms += split_recorded(locations, 2000).splits_with_alarm;
  }
  EXPECT_LE(alarms, 12);
}

// This suite's own quick run, 248 benchmarks on an H200 whose host went back and forth between two speeds: one
// comparison in 200 at most.
TEST(Acceptance, AlarmsAtMostOnceInTwoHundredRandomSplitsOfThisSuitesProcesses) {
  const auto recorded = read_recorded("suite_process_locations.json");
  ASSERT_EQ(recorded.size(), 1u);
  for (const auto& [mode, locations] : recorded) {
    ASSERT_EQ(locations.size(), 248u);
    EXPECT_LE(split_recorded(locations, 1000).splits_with_alarm, 5) << mode;
  }
}

using RecordedSlowdown = testing::TestWithParam<std::string>;
INSTANTIATE_TEST_SUITE_P(In, RecordedSlowdown, testing::Values("none", "settle", "settle_rounds"),
                         [](const auto& mode) { return mode.param; });

// The recorded version of tests/gate/real_gates slowdown.
TEST_P(RecordedSlowdown, OfThreePercentIsFound) {
  const auto recorded = read_recorded("h200_process_locations.json");

  EXPECT_GE(split_recorded(recorded.at(GetParam()), 400, 0.03).found, 380);
}

// It is real, but none of anybody's concern: it may not be called one of the tolerance, 1 %, more often than one in
// 200.
TEST_P(RecordedSlowdown, OfThreePerMilleIsNot) {
  const auto recorded = read_recorded("h200_process_locations.json");

  EXPECT_LE(split_recorded(recorded.at(GetParam()), 400, 0.003).found, 2);
}

}  // namespace
}  // namespace cupel::simulator
