#include "cupel/report/noise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cupel::report {
namespace {

using testing::HasSubstr;
using testing::Not;

record::Row row(int process, std::vector<double> samples_s, record::Mode mode = record::Mode::cold) {
  record::Row row;
  row.name = "family/op/bytes:8";
  row.family = "family";
  row.params = {{"bytes", "8"}};
  row.process = process;
  record::Series series;
  series.mode = mode;
  series.samples_s = std::move(samples_s);
  series.round_sizes = {static_cast<std::int64_t>(series.samples_s.size())};
  series.stop = record::Stop::precision;
  row.series = {series};
  row.wall_s = 0.2;
  row.timed_s = 0.05;
  return row;
}

record::ResultSet results(std::vector<record::Row> rows) {
  record::ResultSet set;
  set.rows = std::move(rows);
  return set;
}

TEST(Noise, BetweenProcessesIsTheSdOfTheirLogarithms) {
  const Noise noise =
      noise_of(results({row(0, {100e-6, 100e-6}), row(1, {100e-6 * std::exp(0.02), 100e-6 * std::exp(0.02)})}))[0];

  EXPECT_NEAR(*noise.between, 0.02 / std::sqrt(2.0), 1e-12);
  EXPECT_EQ(noise.inside, 0);
  EXPECT_EQ(noise.processes, 2);
  EXPECT_EQ(noise.samples, 4);
}

TEST(Noise, OverheadIsTheShareThatWasNotMeasuredWork) {
  EXPECT_NEAR(noise_of(results({row(0, {1e-6})}))[0].overhead, 0.75, 1e-12);
}

TEST(Noise, OfOneProcessSaysNothingOfProcesses) {
  EXPECT_FALSE(noise_of(results({row(0, {1e-6, 2e-6})}))[0].between.has_value());
  EXPECT_THAT(show_noise(results({row(0, {1e-6, 2e-6})}), false), HasSubstr("one process"));
}

TEST(Noise, LeavesOutWhatHasNoFigure) {
  record::Row failed = row(0, {});
  failed.status = record::Status::failed;
  failed.series.clear();

  EXPECT_TRUE(noise_of(results({failed})).empty());
}

TEST(ShowNoise, CountsPowerLimitedBenchmarksApart) {
  record::Row limited = row(0, {100e-6, 100e-6});
  limited.telemetry.emplace().throttle_reasons = {"sw_power_cap"};
  record::Row other = limited;
  other.process = 1;

  const std::string limited_text = show_noise(results({limited, other}), false);
  const std::string free_text = show_noise(results({row(0, {100e-6}), row(1, {101e-6})}), false);

  EXPECT_THAT(limited_text, Not(HasSubstr("not power-limited: median")));
  EXPECT_THAT(free_text, HasSubstr("1 of device time over 10 us, not power-limited: median"));
}

TEST(ShowNoise, SaysWhySamplingStopped) {
  record::Row second = row(1, {1e-6});
  second.series[0].stop = record::Stop::wall;

  EXPECT_THAT(show_noise(results({row(0, {1e-6}), second}), false), HasSubstr("1 precise, 1 wall"));
}

}  // namespace
}  // namespace cupel::report
