#include "cupel/record/floor.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cupel/record/record.hpp"
#include "cupel/stats/location.hpp"

namespace cupel::record {
namespace {

Series series_of(Mode mode, std::vector<double> samples_s, std::optional<Engine> engine = Engine::kernel) {
  Series series;
  series.mode = mode;
  series.engine = engine;
  series.samples_s = std::move(samples_s);
  return series;
}

Calibration calibration_of(std::vector<EventPair> pairs) {
  Calibration calibration;
  calibration.shortest_kernel_s = 0.5e-6;
  calibration.shortest_copy_s = 1.5e-6;
  calibration.event_pairs = std::move(pairs);
  return calibration;
}

TEST(PoolFloor, IsTheMiddleOfAllReadingsLessTheShortestWork) {
  // Four of each: the middle half is the second and the third in order of size.
  Calibration calibration =
      calibration_of({{0, 0, 2.5e-6, 2.9e-6}, {0, 1, 2.7e-6, 9e-6}, {1, 0, 80e-6, 2.7e-6}, {1, 1, 2.6e-6, 2.8e-6}});

  pool_floor(calibration);

  EXPECT_NEAR(calibration.event_floor_kernel_s, 2.15e-6, 1e-12);
  EXPECT_NEAR(calibration.event_floor_copy_s, 1.35e-6, 1e-12);
}

TEST(PoolFloor, IsNeverBelowZero) {
  Calibration calibration = calibration_of({{0, 0, 0.4e-6, 1e-6}});

  pool_floor(calibration);

  EXPECT_EQ(calibration.event_floor_kernel_s, 0);
  EXPECT_EQ(calibration.event_floor_copy_s, 0);
}

TEST(PoolFloor, LeavesFilesFromBeforeThereWereReadingsAlone) {
  Calibration calibration;
  calibration.event_floor_kernel_s = 2e-6;

  pool_floor(calibration);

  EXPECT_EQ(calibration.event_floor_kernel_s, 2e-6);
}

TEST(ApplyFloor, GivesEachSeriesTheFloorOfItsEngineByTheCall) {
  ResultSet results;
  results.context.calibration = calibration_of({{0, 0, 2.5e-6, 2.7e-6}});
  results.rows.resize(1);
  results.rows[0].series = {series_of(Mode::cold, {20e-6}), series_of(Mode::hot, {18e-6}, Engine::copy),
                            series_of(Mode::host, {30e-6}, std::nullopt)};
  results.rows[0].series[1].calls_per_sample = 10;
  results.rows[0].series[2].correction_s = 1e-9;

  apply_floor(results);

  const std::vector<Series>& series = results.rows[0].series;
  EXPECT_NEAR(series[0].correction_s, 2e-6, 1e-15);
  EXPECT_NEAR(series[0].floor_s, 2e-6, 1e-15);
  EXPECT_NEAR(series[1].correction_s, 0.12e-6, 1e-15);
  EXPECT_EQ(series[2].correction_s, 1e-9);
}

TEST(ApplyFloor, ChoosesTheFigureAnewWhenTheFloorChanges) {
  ResultSet results;
  results.context.calibration = calibration_of({{0, 0, 2.5e-6, 2.7e-6}});
  results.rows.resize(1);
  results.rows[0].series = {series_of(Mode::cold, {7.9e-6}), series_of(Mode::hot, {5e-6})};

  apply_floor(results);
  const Mode first = results.rows[0].main_series()->mode;
  results.context.calibration->event_pairs = {{0, 0, 2.3e-6, 2.7e-6}};
  apply_floor(results);

  EXPECT_EQ(first, Mode::hot);  // 7.9 - 2.0 us is below three floors of 2.0 us, 7.9 - 1.8 above three of 1.8
  EXPECT_EQ(results.rows[0].main_series()->mode, Mode::cold);
  EXPECT_FALSE(results.rows[0].below_floor);
}

// The committed files of an H200 show readings that differ by 70 ns from process to process, whatever the rows did. A
// pooled floor adds none of that to a row.
TEST(ApplyFloor, AddsNoNoiseBetweenProcesses) {
  constexpr int kProcesses = 7;
  std::mt19937 random(1);
  std::normal_distribution<double> reading(2.5e-6, 70e-9), time(9e-6, 45e-9);
  ResultSet results;
  results.context.calibration = calibration_of({});
  std::vector<double> raw_s;
  for (int process = 0; process < kProcesses; ++process) {
    results.context.calibration->event_pairs.push_back({process, 0, reading(random), 2.7e-6});
    raw_s.push_back(time(random));
    results.rows.emplace_back().series = {series_of(Mode::cold, {raw_s.back()})};
  }

  apply_floor(results);

  std::vector<double> corrected_s;
  for (const Row& row : results.rows) corrected_s.push_back(row.main_series()->corrected_s().front());
  EXPECT_NEAR(stats::standard_deviation(corrected_s), stats::standard_deviation(raw_s), 1e-15);
}

TEST(ChooseFigure, TakesTheHotBatchWhereTheColdTimeIsBelowThreeFloors) {
  Row row;
  row.series = {series_of(Mode::cold, {4e-6, 4e-6}), series_of(Mode::hot, {1e-6})};
  row.series[0].correction_s = row.series[0].floor_s = 2e-6;

  choose_figure(row);

  EXPECT_TRUE(row.below_floor);
  EXPECT_EQ(row.main_series()->mode, Mode::hot);
}

TEST(ChooseFigure, KeepsAColdTimeThatCanBeTold) {
  Row row;
  row.series = {series_of(Mode::cold, {20e-6, 20e-6}), series_of(Mode::hot, {1e-6})};
  row.series[0].correction_s = row.series[0].floor_s = 2e-6;

  choose_figure(row);

  EXPECT_FALSE(row.below_floor);
  EXPECT_EQ(row.main_series()->mode, Mode::cold);
}

}  // namespace
}  // namespace cupel::record
