// A smaller version of the table of docs/statistics.md on six noises.
#include <gtest/gtest.h>

#include "tests/simulator/noises.hpp"

namespace cupel::simulator {
namespace {

constexpr int kGates = 400;

class SixNoises : public testing::TestWithParam<std::size_t> {
 protected:
  NoiseCounts count(bool calibrated, double slowdown) const {
    NoiseExperiment experiment;
    experiment.noise = six_noises()[GetParam()];
    experiment.calibrated = calibrated;
    experiment.slowdown = slowdown;
    experiment.gates = kGates;
    return count_gates(experiment);
  }
};
INSTANTIATE_TEST_SUITE_P(Of, SixNoises, testing::Range(std::size_t{0}, std::size_t{6}));

TEST_P(SixNoises, FindWithCalibrationAtLeastWhatTheyFindWithoutIt) {
  for (const double slowdown : {0.05, 0.1}) {
    const int calibrated = count(true, slowdown).found;

    EXPECT_GE(calibrated, count(false, slowdown).found) << slowdown;
    EXPECT_GE(calibrated, kGates * 99 / 100) << slowdown;
  }
}

TEST_P(SixNoises, RaiseAnAlarmInAtMostOneOfTwoHundredGatesAndEndWithZeroInNineOfTen) {
  for (const bool calibrated : {false, true}) {
    const NoiseCounts unchanged = count(calibrated, 0);

    EXPECT_LE(unchanged.alarms, kGates / 200) << calibrated;
    EXPECT_LE(unchanged.undecided, kGates / 10) << calibrated;
  }
}

// The order alone decides whose a start is, so that the level holds whatever the machine does from start to start.
TEST(Machines, WithAPeriodOrADriftRaiseNoMoreAlarmsThanTheLevelAllows) {
  constexpr int kMany = 8000;
  for (const Noise& machine : machines()) {
    const NoiseCounts unchanged = count_gates({.noise = machine, .slowdown = 0, .gates = kMany});

    EXPECT_LE(unchanged.alarms, kMany / 1000) << machine.name;  // half of the level; in pairs it is 0.3 %
  }
}

}  // namespace
}  // namespace cupel::simulator
