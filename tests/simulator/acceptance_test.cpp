// The figures that the gate promises, counted on simulated suites with fixed seeds. Larger runs: cupel_gate_simulator.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/simulator/recorded.hpp"
#include "tests/simulator/simulate.hpp"

namespace cupel::simulator {
namespace {

Experiment experiment_of(Model model, int unchanged, int changed) {
  Experiment experiment;
  experiment.model = std::move(model);
  experiment.unchanged_suites = unchanged;
  experiment.changed_suites = changed;
  experiment.calibration_runs = 2;  // what cupel calibrate does unless told otherwise
  if (changed > 0) experiment.slowdowns = {0.03};
  return experiment;
}

Model model_of(const std::string& name) {
  if (name == "study") return study_model();
  return name == "suite" ? suite_model() : h200_model(name);
}

// A test for each model and part: one for all takes minutes of a CPU with sanitizers.
using ModelAndPart = std::tuple<std::string, int>;

std::string name_of(const testing::TestParamInfo<ModelAndPart>& model_and_part) {
  const auto& [model, part] = model_and_part.param;
  return model + "_part_" + std::to_string(part);
}

std::string name_itself(const testing::TestParamInfo<std::string>& name) { return name.param; }

using FalseAlarms = testing::TestWithParam<ModelAndPart>;
INSTANTIATE_TEST_SUITE_P(On, FalseAlarms,
                         testing::Combine(testing::Values("study", "settle_rounds", "none", "suite"),
                                          testing::Values(0, 1)),
                         name_of);

// At most one in 200 is allowed; the gate is built for one in 500. The seeds are fixed.
TEST_P(FalseAlarms, AreAtMostOneIn200ComparisonsOfASuiteWithItself) {
  const auto& [model, part] = GetParam();
  Experiment experiment = experiment_of(model_of(model), 200, 0);
  experiment.seed += static_cast<std::uint64_t>(200 * part);
  const Counts counts = simulate(experiment);

  EXPECT_LE(counts.rule(kGateRule).suites_with_alarm, 1);
}

using Detection = testing::TestWithParam<std::string>;
INSTANTIATE_TEST_SUITE_P(On, Detection, testing::Values("study", "settle_rounds", "suite"), name_itself);

TEST_P(Detection, FindsNineteenOfTwentySlowdownsOfThreePercentOnGateableBenchmarks) {
  const Counts counts = simulate(experiment_of(model_of(GetParam()), 10, 120));

  EXPECT_GE(gateable_detection(counts.rule(kGateRule), counts, 0.03), 0.95);
}

TEST(Acceptance, JudgesNearlyAllDeviceBoundBenchmarksGateableAtThreePercent) {
  const Counts counts = simulate(experiment_of(study_model(), 20, 0));
  const std::array<double, 4>& share = counts.gateable_share;

  EXPECT_GE((kMix[large] * share[large] + kMix[small] * share[small] + kMix[power] * share[power]) /
                (kMix[large] + kMix[small] + kMix[power]),
            0.85);
}

TEST(Acceptance, HasIntervalsThatHoldTheTruthAsOftenAsTheySay) {
  for (const char* shape : {"normal", "skewed", "bimodal"}) {
    for (const int processes : {5, 7, 12}) {
      const double share = coverage(shape, processes, 10'000, 1);
      EXPECT_GE(share, 0.93) << shape << ", " << processes;
      EXPECT_LE(share, 0.975) << shape << ", " << processes;
    }
  }
}

TEST(Acceptance, HasIntervalsThatHoldTheTruthUnderTheNoiseOfThisSuite) {
  for (const int processes : {5, 7, 12}) {
    const std::array<double, 4> share = coverage(suite_model(), processes, 20, 1);
    for (const Kind kind : {large, small, host}) {
      EXPECT_GE(share[kind], 0.93) << kKinds[kind] << ", " << processes;
      EXPECT_LE(share[kind], 0.975) << kKinds[kind] << ", " << processes;
    }
  }
}

// What the gate sees of noise is how far processes are apart. The power-limited kind was fitted to three benchmarks.
TEST(Simulator, MakesProcessesThatDifferAsTheRecordedOnesDid) {
  const std::array<SeenSpread, 4> simulated = simulated_spread(suite_model(), 10, 1), seen = suite_seen();

  for (const Kind kind : {large, small, host}) {
    EXPECT_NEAR(simulated[kind].median / seen[kind].median, 1, 0.25) << kKinds[kind];
    EXPECT_NEAR(simulated[kind].high / seen[kind].high, 1, 0.25) << kKinds[kind];
  }
}

TEST(Acceptance, RaisesNoAlarmOnRandomSplitsOfRecordedProcesses) {
  const auto recorded = read_recorded(CUPEL_SIMULATOR_RECORDED);
  ASSERT_EQ(recorded.size(), 3u);
  for (const auto& [mode, locations] : recorded) {
    ASSERT_EQ(locations.size(), 28u);
    EXPECT_EQ(split_recorded(locations, 200).splits_with_alarm, 0) << mode;
  }
}

// This suite's own quick run, 248 benchmarks on an H200 whose host went back and forth between two speeds: one
// comparison in 200 at most.
TEST(Acceptance, AlarmsAtMostOnceInTwoHundredRandomSplitsOfThisSuitesProcesses) {
  const auto recorded = read_recorded(CUPEL_SIMULATOR_RECORDED_SUITE);
  ASSERT_EQ(recorded.size(), 1u);
  for (const auto& [mode, locations] : recorded) {
    ASSERT_EQ(locations.size(), 248u);
    EXPECT_LE(split_recorded(locations, 1000).splits_with_alarm, 5) << mode;
  }
}

using RecordedSlowdown = testing::TestWithParam<std::string>;
INSTANTIATE_TEST_SUITE_P(In, RecordedSlowdown, testing::Values("none", "settle", "settle_rounds"), name_itself);

// The recorded version of tests/gate/real_gates slowdown.
TEST_P(RecordedSlowdown, OfThreePercentIsFound) {
  const auto recorded = read_recorded(CUPEL_SIMULATOR_RECORDED);

  EXPECT_GE(split_recorded(recorded.at(GetParam()), 400, 0.03).found, 380);
}

// It is real, but none of anybody's concern: it may not be called one of the tolerance, 1 %, more often than one in
// 200.
TEST_P(RecordedSlowdown, OfThreePerMilleIsNot) {
  const auto recorded = read_recorded(CUPEL_SIMULATOR_RECORDED);

  EXPECT_LE(split_recorded(recorded.at(GetParam()), 400, 0.003).found, 2);
}

TEST(Simulator, CountsTheSameWithAnyNumberOfThreads) {
  Experiment experiment = experiment_of(study_model(), 6, 4);
  experiment.benchmarks = 40;
  experiment.peers = true;
  experiment.threads = 1;
  const std::string alone = table(simulate(experiment));
  experiment.threads = 3;

  EXPECT_EQ(table(simulate(experiment)), alone);
}

// What other tools' rules do to suites in which nothing changed.
TEST(Simulator, ShowsWhyOneProcessASideIsNotEnough) {
  Experiment experiment = experiment_of(study_model(), 12, 0);
  experiment.peers = true;
  const Counts counts = simulate(experiment);

  EXPECT_EQ(counts.rule("compare.py, U test p < .05, 9 repetitions").suites_with_alarm, 12);
  EXPECT_EQ(counts.rule("nvbench_compare, beyond the smaller noise").suites_with_alarm, 12);
  EXPECT_EQ(counts.rule("github-action-benchmark, ratio > 1.05").suites_with_alarm, 12);
  EXPECT_EQ(counts.rule(kGateRule).suites_with_alarm, 0);
}

}  // namespace
}  // namespace cupel::simulator
