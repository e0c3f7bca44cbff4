// On a real device: that what is read is plausible, and what reading costs.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>

#include "cupel/cuda/cuda.hpp"
#include "cupel/device/availability.hpp"
#include "cupel/device/device_info.hpp"
#include "cupel/device/look_kernels.hpp"
#include "cupel/device/peaks.hpp"
#include "cupel/device/telemetry.hpp"
#include "cupel/record/machine.hpp"
#include "cupel/record/telemetry.hpp"

namespace cupel::device {
namespace {

/// Median-free on purpose: the mean over many calls is what a benchmark pays.
double mean_cost_us(const std::function<void()>& call) {
  constexpr int kCalls = 50;
  call();  // the first call of an entry may build a cache
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) call();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / kCalls;
}

std::optional<nvml::Device> monitor() {
  std::string why_not;
  auto device = open_monitor(0, why_not);
  if (!device) std::printf("NVML: %s\n", why_not.c_str());
  return device;
}

TEST(DeviceGpu, CanBeUsed) {
  const Availability found = availability();

  EXPECT_TRUE(found.ok()) << found.text();
}

TEST(DeviceGpu, IsDescribedPlausibly) {
  const auto nvml = monitor();

  const record::DeviceInfo info = read_device_info(0, nvml ? &*nvml : nullptr);

  EXPECT_FALSE(info.name.empty());
  EXPECT_EQ(info.uuid.size(), 40u);
  EXPECT_EQ(info.pci_id.size(), 16u);
  EXPECT_GE(info.compute_major, 7);
  EXPECT_GT(info.sm_count, 0);
  EXPECT_GT(info.sm_clock_max_hz, 500e6);
  EXPECT_GT(info.memory_clock_max_hz, 500e6);
  EXPECT_GT(info.memory_bytes, std::int64_t{1} << 30);
  EXPECT_GT(info.l2_bytes, 1 << 19);
  EXPECT_GT(info.copy_engines, 0);
  EXPECT_FALSE(info.driver_version.empty());
  EXPECT_GE(info.driver_cuda, CUDART_VERSION / 1000 * 1000);
  EXPECT_GT(info.memory_peak_bytes_per_s, 50e9);
  std::printf("%s, driver %s, memory peak %.0f GB/s, SM clock %.0f MHz, NUMA node %d\n", info.name.c_str(),
              info.driver_version.c_str(), info.memory_peak_bytes_per_s / 1e9, info.sm_clock_max_hz / 1e6,
              info.numa_node.value_or(-1));
}

TEST(DeviceGpu, AreListedAsTheyAreDescribed) {
  const std::vector<VisibleDevice> devices = visible_devices();

  ASSERT_FALSE(devices.empty());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const record::DeviceInfo info = read_device_info(static_cast<int>(i), nullptr);
    EXPECT_EQ(devices[i].uuid, info.uuid);
    EXPECT_EQ(devices[i].name, info.name);
    EXPECT_EQ(chosen_device(info.uuid, devices), static_cast<int>(i));
  }
}

TEST(DeviceGpu, TheRuntimeAndNvmlAgreeOnTheGreatestClocks) {
  const auto nvml = monitor();
  ASSERT_TRUE(nvml) << "the reason is above";

  const record::DeviceInfo without = read_device_info(0, nullptr);
  const record::DeviceInfo with = read_device_info(0, &*nvml);

  EXPECT_EQ(without.memory_bus_bits, with.memory_bus_bits);
  EXPECT_NEAR(without.memory_clock_max_hz, with.memory_clock_max_hz, 0.01 * with.memory_clock_max_hz);
  EXPECT_NEAR(without.sm_clock_max_hz, with.sm_clock_max_hz, 0.1 * with.sm_clock_max_hz);
}

TEST(DeviceGpu, RunsTheCodeThatIsEmbedded) {
  LoadedCode code;

  cuda::check(loaded_code(code));

  EXPECT_EQ(code.jit, is_jit(code.binary, embedded_architectures()));
  std::printf("machine code of %d.%d, %s\n", code.binary / 10, code.binary % 10,
              code.jit ? "compiled by the driver" : "embedded");
}

TEST(DeviceGpu, TelemetryOfABusyDeviceIsReadable) {
  const auto nvml = monitor();
  ASSERT_TRUE(nvml) << "the reason is above";
  nvml::TelemetryLog log(static_cast<unsigned>(getpid()));

  const nvml::Reading before = nvml::read(*nvml);
  constexpr unsigned long long kBusyNs = 400'000'000;  // over the energy counter's step
  cuda::check(launch_busy(read_device_info(0, nullptr).sm_count, kBusyNs, nullptr));
  cuda::check(cudaDeviceSynchronize());
  log.add(before, nvml::read(*nvml));
  record::Telemetry telemetry;
  log.fill(telemetry);

  EXPECT_GT(telemetry.sm_clock_hz.value_or(0), 100e6);
  EXPECT_GT(telemetry.power_w.value_or(0), 5);
  EXPECT_GT(telemetry.temperature_c.value_or(0), 10);
  EXPECT_GT(telemetry.energy_j.value_or(0), 1);
  std::printf("SM %.0f MHz, %.0f W, %.1f J, %.0f C, foreign %d, counters %zu\n",
              telemetry.sm_clock_hz.value_or(0) / 1e6, telemetry.power_w.value_or(0), telemetry.energy_j.value_or(0),
              telemetry.temperature_c.value_or(0), telemetry.foreign_processes.value_or(-1),
              telemetry.throttle_s.size());
  for (const auto& [reason, time_s] : telemetry.throttle_s) std::printf("  %s %.6f s\n", reason.c_str(), time_s);
  for (const auto& reason : telemetry.throttle_reasons) std::printf("  active: %s\n", reason.c_str());
}

TEST(DeviceGpu, AReadingCostsLittleBesideABenchmark) {
  const auto nvml = monitor();
  ASSERT_TRUE(nvml) << "the reason is above";

  const std::pair<const char*, std::function<void()>> calls[] = {
      {"clock", [&] { nvml->clock_hz(nvml::ClockDomain::sm); }},
      {"power", [&] { nvml->power_w(); }},
      {"energy", [&] { nvml->energy_j(); }},
      {"temperature", [&] { nvml->temperature_c(); }},
      {"event_reasons", [&] { nvml->event_reasons(); }},
      {"throttle counters", [&] { nvml->throttle_s(); }},
      {"processes", [&] { nvml->process_ids(); }},
      {"pcie generation", [&] { nvml->pcie_generation(); }},
  };
  for (const auto& [name, call] : calls) std::printf("%-20s %9.1f us\n", name, mean_cost_us(call));
  const double reading_us = mean_cost_us([&] { nvml::read(*nvml); });
  std::printf("%-20s %9.1f us\n", "reading", reading_us);

  constexpr double kRoundUs = 100e3;  // a quick benchmark's round
  EXPECT_LT(2 * reading_us, kRoundUs);
}

}  // namespace
}  // namespace cupel::device
