#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/figures/noise_summary.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/telemetry_summary.hpp"
#include "cupel/record/record.hpp"

namespace cupel::figures {
namespace {

using testing::ElementsAre;
using testing::Pair;

Figure figure(double time_s, record::Mode mode, std::optional<double> between, bool power_limited = false) {
  Figure figure;
  figure.mode = mode;
  figure.time.emplace().location_s = time_s;
  figure.noise.emplace().between = between;
  figure.noise->power_limited = power_limited;
  return figure;
}

TEST(NoiseSummary, IsOfAllAndOfLongDeviceTimesApart) {
  const std::vector<Figure> figures{
      figure(20e-6, record::Mode::cold, 0.01),     figure(20e-6, record::Mode::cold, 0.03),
      figure(5e-6, record::Mode::cold, 0.2),       figure(20e-6, record::Mode::host, 0.3),
      figure(20e-6, record::Mode::hot, 0.4, true), figure(20e-6, record::Mode::hot, std::nullopt)};

  const NoiseSummary summary = noise_summary(figures);

  EXPECT_EQ(summary.all->benchmarks, 5u);
  EXPECT_DOUBLE_EQ(summary.all->median, 0.2);
  EXPECT_DOUBLE_EQ(summary.all->greatest, 0.4);
  EXPECT_EQ(summary.long_device->benchmarks, 2u);
  EXPECT_DOUBLE_EQ(summary.long_device->median, 0.02);
  EXPECT_FALSE(noise_summary({}).all);
}

TEST(TelemetrySummary, HasExtremesAndCountsOfAllRows) {
  record::ResultSet results;
  for (const double clock_hz : {1.9e9, 1.7e9, 1.8e9}) {
    record::Telemetry& seen = results.rows.emplace_back().telemetry.emplace();
    seen.sm_clock_hz = clock_hz;
    seen.sm_clock_under_load = clock_hz > 1.75e9;
    seen.throttle_reasons = {kPowerLimitReason, "sw_thermal"};
    seen.foreign_processes = 1;
    seen.settled = clock_hz < 1.85e9;
  }
  results.rows.emplace_back().disturbed = true;

  const TelemetrySummary summary = telemetry_summary(results);

  EXPECT_EQ(summary.rows, 3);
  EXPECT_EQ(summary.sm_clock_hz.low, 1.7e9);
  EXPECT_EQ(summary.sm_clock_hz.high, 1.9e9);
  EXPECT_EQ(summary.power_w.low, std::nullopt);
  EXPECT_TRUE(summary.says_how);
  EXPECT_EQ(summary.under_load, 2);
  EXPECT_EQ(summary.disturbed, 1);
  EXPECT_EQ(summary.unsettled, 1);
  EXPECT_EQ(summary.shared, 3);
  EXPECT_THAT(summary.throttled, ElementsAre(Pair("sw_thermal", 3)));
}

TEST(Unsettled, SaysWhatHadNotSettledWhereTheFileDoes) {
  record::Row row;
  EXPECT_EQ(unsettled_text(row), "");
  record::Telemetry& seen = row.telemetry.emplace();
  EXPECT_EQ(unsettled_text(row), "");
  seen.settled = false;
  EXPECT_EQ(unsettled_text(row), "not settled");
  seen.unsettled = {"clock"};
  EXPECT_EQ(unsettled_text(row), "clock not settled");
  seen.unsettled = {"clock", "memory"};
  EXPECT_EQ(unsettled_text(row), "clock and memory not settled");
}

}  // namespace
}  // namespace cupel::figures
