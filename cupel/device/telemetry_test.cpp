#include "cupel/device/telemetry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/device/fake_nvml.hpp"
#include "cupel/record/telemetry.hpp"

namespace cupel::nvml {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr unsigned kSelf = 4711;

record::Telemetry filled(const TelemetryLog& log) {
  record::Telemetry telemetry;
  log.fill(telemetry);
  return telemetry;
}

TEST(ForeignProcesses, AreAllButThisOne) {
  EXPECT_EQ(foreign_processes(std::vector<unsigned>{kSelf}, kSelf, true), 0);
  EXPECT_EQ(foreign_processes(std::vector<unsigned>{1, kSelf, 2}, kSelf, true), 2);
}

TEST(ForeignProcesses, OneOfUnknownNumberIsThisOneWhenItHoldsAContext) {
  EXPECT_EQ(foreign_processes(std::vector<unsigned>{1}, kSelf, true), 0);
  EXPECT_EQ(foreign_processes(std::vector<unsigned>{1, 2, 3}, kSelf, true), 2);
  EXPECT_EQ(foreign_processes(std::vector<unsigned>{1, 2, 3}, kSelf, false), 3);
}

TEST(ForeignProcesses, AreUnknownWhenTheListHidesEvenThisOne) {
  EXPECT_EQ(foreign_processes(std::vector<unsigned>{}, kSelf, true), std::nullopt);
  EXPECT_EQ(foreign_processes(std::nullopt, kSelf, true), std::nullopt);
  EXPECT_EQ(foreign_processes(std::vector<unsigned>{}, kSelf, false), 0);
}

TEST(Reader, AsksWhoElseIsThereNowAndThenAndTheRestEachTime) {
  const Device device = fake::device(fake::functions());
  fake::state().process_ids = {kSelf};
  Reader reader(device, false);
  const std::chrono::steady_clock::time_point start{};
  const std::chrono::milliseconds ms{1};
  reader.read(start);
  fake::state().process_ids = {kSelf, 1};
  fake::state().power_mw = 500000;

  const Reading soon = reader.read(start + 99 * ms);
  const Reading later = reader.read(start + 100 * ms);

  EXPECT_THAT(*soon.process_ids, ElementsAre(kSelf));
  EXPECT_DOUBLE_EQ(*soon.power_w, 500);
  EXPECT_THAT(*later.process_ids, ElementsAre(kSelf, 1));
}

TEST(Reader, ReadsEnergyWhereBenchmarksAreLong) {
  const Device device = fake::device(fake::functions());

  EXPECT_TRUE(Reader(device, true).read().energy_j);
  EXPECT_FALSE(Reader(device, false).read().energy_j);
  EXPECT_TRUE(Reader(device, false).read().power_w);
}

TEST(TelemetryLog, WithoutReadingsIsAbsentAndUndisturbed) {
  const record::Telemetry telemetry = filled(TelemetryLog(kSelf));

  EXPECT_EQ(telemetry.sm_clock_hz, std::nullopt);
  EXPECT_EQ(telemetry.energy_j, std::nullopt);
  EXPECT_EQ(telemetry.foreign_processes, std::nullopt);
  EXPECT_THAT(telemetry.throttle_s, IsEmpty());
  EXPECT_FALSE(disturbed(telemetry));
}

TEST(TelemetryLog, TakesExtremesMediansAndSumsOverRounds) {
  const Device device = fake::device(fake::functions());
  fake::state().process_ids = {kSelf};
  TelemetryLog log(kSelf);

  for (int round = 0; round < 2; ++round) {
    const Reading before = read(device);
    fake::state().sm_clock_mhz -= 10;
    fake::state().energy_mj += 2000;
    fake::state().power_mw = 400000u + 1000u * static_cast<unsigned>(round);
    fake::state().temperature_c += 1;
    log.add(before, read(device));
  }
  log.add_sm_clock(1500e6);

  const record::Telemetry telemetry = filled(log);
  EXPECT_DOUBLE_EQ(*telemetry.sm_clock_hz, 1970e6);  // of 1980, 1970, 1970, 1960 and the 1500 that was counted
  EXPECT_EQ(telemetry.sm_clock_under_load, false);
  EXPECT_DOUBLE_EQ(*telemetry.sm_clock_min_hz, 1500e6);
  EXPECT_DOUBLE_EQ(*telemetry.energy_j, 4);
  EXPECT_DOUBLE_EQ(*telemetry.power_w, 401);
  EXPECT_DOUBLE_EQ(*telemetry.temperature_c, 43);
  EXPECT_EQ(telemetry.foreign_processes, 0);
  EXPECT_FALSE(disturbed(telemetry));
}

TEST(TelemetryLog, TakesTheClockUnderLoadWhereItWasMeasured) {
  const Device device = fake::device(fake::functions());
  TelemetryLog log(kSelf);
  const Reading before = read(device);
  log.add(before, read(device));
  log.add_sm_clock(1980e6);
  for (const double hz : {1700e6, 1750e6, 1720e6}) log.add_sm_clock_under_load(hz);

  const record::Telemetry telemetry = filled(log);
  EXPECT_DOUBLE_EQ(*telemetry.sm_clock_hz, 1720e6);
  EXPECT_EQ(telemetry.sm_clock_under_load, true);
  EXPECT_DOUBLE_EQ(*telemetry.sm_clock_min_hz, 1700e6);
}

TEST(TelemetryLog, MarksExactlyTheProcessThatHeatThrottled) {
  const Device device = fake::device(fake::functions());
  fake::state().process_ids = {kSelf};
  std::vector<record::Telemetry> processes;

  for (int process = 0; process < 5; ++process) {
    TelemetryLog log(kSelf);
    fake::state().reasons = process == 3 ? kHwThermal | kHwSlowdown : kSwPowerCap;
    log.add(read(device), read(device));
    processes.push_back(filled(log));
  }

  for (int process = 0; process < 5; ++process) {
    EXPECT_EQ(disturbed(processes[process]), process == 3) << process;
  }
  EXPECT_THAT(processes[3].throttle_reasons, ElementsAre("hw_slowdown", "hw_thermal"));
  EXPECT_THAT(processes[2].throttle_reasons, ElementsAre("sw_power_cap"));
}

TEST(TelemetryLog, SeesByTheCounterWhatNoReadingHit) {
  const Device device = fake::device(fake::functions());
  fake::state().process_ids = {kSelf};
  fake::state().hw_thermal_ns = 7'000'000'000;  // long before
  TelemetryLog calm(kSelf), hot(kSelf);

  calm.add(read(device), read(device));
  const Reading before = read(device);
  fake::state().hw_thermal_ns += 300'000'000;
  hot.add(before, read(device));

  EXPECT_FALSE(disturbed(filled(calm)));
  EXPECT_TRUE(disturbed(filled(hot)));
  EXPECT_NEAR(filled(hot).throttle_s.at("hw_thermal"), 0.3, 1e-9);
}

TEST(TelemetryLog, LeavesOutACounterThatWentBackwards) {
  const Device device = fake::device(fake::functions());
  fake::state().hw_thermal_ns = 1'000'000'000;
  TelemetryLog log(kSelf);

  const Reading before = read(device);
  fake::state().hw_thermal_ns = 0;
  fake::state().energy_mj = 0;
  log.add(before, read(device));

  EXPECT_EQ(filled(log).throttle_s.count("hw_thermal"), 0u);
  EXPECT_EQ(filled(log).energy_j, std::nullopt);
}

TEST(TelemetryLog, AnotherProcessOnTheDeviceDisturbs) {
  const Device device = fake::device(fake::functions());
  fake::state().process_ids = {kSelf};
  TelemetryLog log(kSelf);

  const Reading before = read(device);
  fake::state().process_ids = {kSelf, 1};
  log.add(before, read(device));

  EXPECT_EQ(filled(log).foreign_processes, 1);
  EXPECT_TRUE(disturbed(filled(log)));
}

}  // namespace
}  // namespace cupel::nvml
