#include "cupel/report/page/render.hpp"
#include "cupel/report/show/show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cupel/figures/figure.hpp"
#include "cupel/record/record.hpp"

namespace cupel::report {
namespace {

using testing::HasSubstr;
using testing::Not;

const ShowOptions kWide{.terminal = {kAnyWidth}};

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
  row.series.push_back(std::move(series));
  row.wall_s = 0.2;
  row.timed_s = 0.05;
  return row;
}

record::ResultSet results(std::vector<record::Row> rows) {
  record::ResultSet set;
  set.rows = std::move(rows);
  return set;
}

figures::Figure figure_of(const record::ResultSet& results) { return figures::figures_of(results).front(); }

TEST(Noise, BetweenProcessesIsTheSdOfTheirLogarithms) {
  const figures::Figure figure =
      figure_of(results({row(0, {100e-6, 100e-6}), row(1, {100e-6 * std::exp(0.02), 100e-6 * std::exp(0.02)})}));

  EXPECT_NEAR(*figure.noise->between, 0.02 / std::sqrt(2.0), 1e-12);
  EXPECT_EQ(figure.noise->inside, 0);
  EXPECT_EQ(figure.time->processes_s.size(), 2u);
  EXPECT_EQ(figure.samples, 4);
}

TEST(Noise, IsOfTheModeThatIsTheFigureOfMostProcesses) {
  std::vector<record::Row> rows{row(0, {7e-6}, record::Mode::hot), row(1, {8e-6}), row(2, {8e-6})};
  rows[0].series.push_back(row(0, {8e-6}).series.front());

  const figures::Figure figure = figure_of(results(rows));

  EXPECT_EQ(figure.mode, record::Mode::cold);
  EXPECT_EQ(figure.time->processes_s.size(), 3u);
  EXPECT_DOUBLE_EQ(figure.time->location_s, 8e-6);
}

TEST(Noise, OverheadIsTheShareThatWasNotMeasuredWork) {
  EXPECT_NEAR(figure_of(results({row(0, {1e-6})})).noise->overhead, 0.75, 1e-12);
}

TEST(Noise, OfOneProcessSaysNothingOfProcesses) {
  EXPECT_FALSE(figure_of(results({row(0, {1e-6, 2e-6})})).noise->between.has_value());
  EXPECT_THAT(show_noise(results({row(0, {1e-6, 2e-6})}), kWide), HasSubstr("one process"));
}

TEST(Noise, LeavesOutWhatHasNoFigure) {
  record::Row failed = row(0, {});
  failed.status = record::Status::failed;
  failed.series.clear();

  EXPECT_FALSE(figure_of(results({failed})).noise.has_value());
}

record::Row limited(int process, std::vector<double> samples_s) {
  record::Row limited = row(process, std::move(samples_s));
  limited.telemetry.emplace().throttle_reasons = {"sw_power_cap"};
  return limited;
}

record::Row free_of_limit(int process, std::vector<double> samples_s) {
  record::Row free = row(process, std::move(samples_s));
  free.telemetry.emplace().sm_clock_hz = 1.98e9;
  return free;
}

TEST(ShowNoise, CountsPowerLimitedBenchmarksApart) {
  const std::string limited_text = show_noise(results({limited(0, {100e-6, 100e-6}), limited(1, {100e-6})}), kWide);
  const std::string free_text = show_noise(results({row(0, {100e-6}), row(1, {101e-6})}), kWide);

  EXPECT_THAT(limited_text, Not(HasSubstr("not power-limited by itself: median")));
  EXPECT_THAT(limited_text, HasSubstr("power: 100 % of the benchmarks ran at the power limit (1 of 1"));
  EXPECT_THAT(free_text, HasSubstr("1 of device time over 10 us, not power-limited by itself: median"));
  EXPECT_THAT(free_text, Not(HasSubstr("power: ")));
}

TEST(ShowNoise, TakesOneMarkedProcessOfThreeForThatOfANeighbour) {
  const record::ResultSet one = results({limited(0, {100e-6}), free_of_limit(1, {101e-6}), free_of_limit(2, {99e-6})});
  const record::ResultSet two = results({limited(0, {100e-6}), limited(1, {101e-6}), free_of_limit(2, {99e-6})});

  EXPECT_FALSE(figure_of(one).noise->power_limited);
  EXPECT_TRUE(figure_of(two).noise->power_limited);
  EXPECT_THAT(show_noise(one, kWide), HasSubstr("1 of device time over 10 us, not power-limited by itself: median"));
}

TEST(ShowNoise, HasClockAndPower) {
  record::Row row = free_of_limit(0, {1e-3});
  row.telemetry->power_w = 412;

  EXPECT_THAT(show_noise(results({row}), kWide), HasSubstr("1980 MHz  412 W"));
  EXPECT_THAT(show_noise(results({free_of_limit(0, {1e-3})}), kWide), Not(HasSubstr("412 W")));
}

TEST(ShowNoise, SaysWhereTheClockIsNotThatOfTheWork) {
  record::Row row = free_of_limit(0, {1e-3});
  row.telemetry->sm_clock_under_load = false;
  EXPECT_THAT(show_noise(results({row}), kWide), HasSubstr("1980 MHz idle"));

  row.telemetry->sm_clock_under_load = true;
  EXPECT_THAT(show_noise(results({row}), kWide), Not(HasSubstr("MHz idle")));
}

TEST(ShowNoise, LeavesOutColumnsOfANarrowTerminalAndSaysWhich) {
  const record::ResultSet one = results({row(0, {1e-6, 2e-6}), row(1, {1e-6, 2e-6})});

  EXPECT_THAT(show_noise(one, kWide), AllOf(HasSubstr("samples"), Not(HasSubstr("in all rows"))));
  EXPECT_THAT(show_noise(one, {.terminal = {60}}), HasSubstr("In every row: wall 200 ms, samples 2 x 2"));
  EXPECT_THAT(show_noise(one, {.format = Format::markdown, .terminal = {60}}), HasSubstr("| samples |"));
}

TEST(ShowNoise, IsForProgramsInBaseUnits) {
  record::Row first = free_of_limit(0, {1e-3});
  first.telemetry->power_w = 412;

  EXPECT_EQ(show_noise(results({first}), {.format = Format::json}),
            "[\n{\"name\":\"family/op/bytes:8\",\"mode\":\"cold\",\"time_s\":0.001,\"inside\":0.0,\"processes\":1,"
            "\"samples\":1,\"stopped_by\":{\"precise\":1},\"sm_clock_hz\":1980000000.0,\"unsettled\":false,"
            "\"power_w\":412.0,\"power_limited\":false,\"wall_s\":0.2,\"overhead\":0.75}\n]\n");
}

TEST(ShowNoise, SaysWhySamplingStopped) {
  record::Row second = row(1, {1e-6});
  second.series[0].stop = record::Stop::wall;

  EXPECT_THAT(show_noise(results({row(0, {1e-6}), second}), kWide), HasSubstr("1 precise, 1 wall"));
}

}  // namespace
}  // namespace cupel::report
