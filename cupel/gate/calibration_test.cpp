#include "cupel/gate/calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cupel/figures/suite.hpp"
#include "cupel/files/errors.hpp"
#include "cupel/record/record.hpp"

namespace cupel::gate {
namespace {

figures::Suite suite_of_times(const std::string& name, const std::vector<double>& times_s) {
  record::ResultSet results;
  results.context.host.cpu = "CPU";
  for (std::size_t i = 0; i < times_s.size(); ++i) {
    record::Row& row = results.rows.emplace_back();
    row.name = name;
    row.process = static_cast<int>(i);
    row.series.emplace_back().samples_s = {times_s[i]};
  }
  return figures::suite_of(results, "a");
}

TEST(Calibration, PoolsTheNoiseWithinGroupsAndNotBetweenThem) {
  CalibratedBenchmark benchmark;
  const double e = std::exp(0.01);
  benchmark.sessions = {{{1, e, 1, e}, {2, 2 * e, 2, 2 * e}}};

  // Each group: logs 0, 0.01, 0, 0.01 with sum of squares 1e-4 and 3 degrees of freedom.
  EXPECT_NEAR(*benchmark.sigma(), std::sqrt(1e-4 / 3), 1e-12);
  EXPECT_NEAR(*benchmark.largest_shift(), std::log(2), 0.011);
  EXPECT_EQ(benchmark.processes(), 8u);
}

TEST(Calibration, PromisesTwiceTheNoise) {
  CalibratedBenchmark benchmark;
  benchmark.sessions = {{{1, 1.01, 1, 1.01, 1, 1.01}}};

  const double sigma = *benchmark.sigma();
  EXPECT_NEAR(*benchmark.gateable_at(), std::expm1(2 * sigma), 1e-12);
  EXPECT_NEAR(*benchmark.mde(), std::expm1(5.3 * sigma / 4), 1e-12);
}

TEST(Calibration, DoesNotSpeakOfNoiseThatItCannotKnow) {
  CalibratedBenchmark benchmark;
  benchmark.sessions = {{{1, 2, 1}}};

  EXPECT_FALSE(benchmark.sigma());
  EXPECT_FALSE(benchmark.largest_shift());
}

TEST(Calibration, SplitsASessionIntoGroupsOfBothSides) {
  MachineNoise calibration;
  add_session(calibration, suite_of_times("x", {1, 2, 3, 4, 5}), suite_of_times("x", {6, 7, 8, 9}), 2);

  const CalibratedBenchmark* benchmark = calibration.find("x");
  ASSERT_NE(benchmark, nullptr);
  EXPECT_EQ(benchmark->sessions, (std::vector<Groups>{{{1, 2}, {3, 4}, {6, 7}, {8, 9}}}));
  EXPECT_EQ(calibration.find("y"), nullptr);
}

TEST(Calibration, ComesBackFromItsFileAsItWas) {
  MachineNoise calibration;
  calibration.made = "2026-11-20T06:00:00Z";
  add_session(calibration, suite_of_times("x/<b>\"", {1e-6, 1.1e-6}), suite_of_times("x/<b>\"", {1e-6, 1.2e-6}), 2);

  const std::string text = to_json(calibration);
  const MachineNoise again = calibration_from_json(text, "c.json");

  EXPECT_EQ(again.benchmarks, calibration.benchmarks);
  EXPECT_EQ(to_json(again), text);
}

TEST(Calibration, NamesTheFieldOfAFileThatIsWrong) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      calibration_from_json(text, "c.json");
    } catch (const files::ReadError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problem("[]"), testing::HasSubstr("c.json"));
  EXPECT_THAT(
      problem(
          R"({"cupel_gate_calibration": 1, "made": "2026-11-20", "benchmarks": {"a": {"sessions_s": [[[1, -2]]]}}})"),
      testing::HasSubstr("/benchmarks/a/sessions_s/0/0"));
  EXPECT_THAT(
      problem(R"({"cupel_gate_calibration": 1, "made": "2026-11-20", "benchmarks": {"a": {"sessions_s": [[[]]]}}})"),
      testing::HasSubstr("/benchmarks/a/sessions_s/0/0"));
  EXPECT_THAT(problem(R"({"cupel_gate_calibration": 1, "made": "2026-11-20", "benchmarks": 3})"),
              testing::HasSubstr("/benchmarks"));
  EXPECT_THAT(problem(R"({"cupel_gate_calibration": 1, "made": "2026-02-30T06:35:00Z", "benchmarks": {}})"),
              testing::HasSubstr("/made"));
}

TEST(Calibration, SaysInWhatTheMachineDiffers) {
  MachineNoise calibration;
  add_session(calibration, suite_of_times("x", {1, 2}), suite_of_times("x", {1, 2}), 2);
  record::Context here;
  here.host.cpu = "Other CPU";

  EXPECT_THAT(differences(calibration, here), testing::ElementsAre("CPU: CPU when calibrated, Other CPU now"));
}

}  // namespace
}  // namespace cupel::gate
