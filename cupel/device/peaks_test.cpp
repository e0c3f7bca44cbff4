#include "cupel/device/peaks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "cupel/record/machine.hpp"

namespace cupel::device {
namespace {

record::DeviceInfo device(const char* name, int major, int minor, int sm_count, double clock_mhz) {
  record::DeviceInfo info;
  info.name = name;
  info.compute_major = major;
  info.compute_minor = minor;
  info.sm_count = sm_count;
  info.sm_clock_max_hz = clock_mhz * 1e6;
  return info;
}

/// A figure of a data sheet, with the SMs and the boost clock that NVIDIA states it for.
struct Published {
  const char* name;
  int major, minor, sm_count;
  double clock_mhz;
  Arithmetic arithmetic;
  double tera_per_s;
};

void PrintTo(const Published& p, std::ostream* out) { *out << p.name << ' ' << to_string(p.arithmetic); }

class Peak : public testing::TestWithParam<Published> {};

TEST_P(Peak, GivesTheDataSheetsFigureBack) {
  const Published& p = GetParam();

  const auto limit = arithmetic_peak(device(p.name, p.major, p.minor, p.sm_count, p.clock_mhz), p.arithmetic);

  ASSERT_TRUE(limit);
  EXPECT_NEAR(limit->per_second / 1e12, p.tera_per_s, 0.02 * p.tera_per_s);  // data sheets round to 2 or 3 digits
}

constexpr Published kPublished[] = {
    {"Tesla T4", 7, 5, 40, 1590, Arithmetic::fp16, 65},
    {"Tesla T4", 7, 5, 40, 1590, Arithmetic::int8, 130},
    {"Tesla T4", 7, 5, 40, 1590, Arithmetic::fp32, 8.1},
    {"NVIDIA GeForce RTX 2080 Ti", 7, 5, 68, 1545, Arithmetic::fp16, 53.8},
    {"NVIDIA GeForce RTX 2080 Ti", 7, 5, 68, 1545, Arithmetic::fp16_in_fp16, 107.6},
    {"NVIDIA A100-SXM4-80GB", 8, 0, 108, 1410, Arithmetic::fp64, 9.7},
    {"NVIDIA A100-SXM4-80GB", 8, 0, 108, 1410, Arithmetic::fp64_tensor, 19.5},
    {"NVIDIA A100-SXM4-80GB", 8, 0, 108, 1410, Arithmetic::fp32, 19.5},
    {"NVIDIA A100-SXM4-80GB", 8, 0, 108, 1410, Arithmetic::tf32, 156},
    {"NVIDIA A100-SXM4-80GB", 8, 0, 108, 1410, Arithmetic::bf16, 312},
    {"NVIDIA A100-SXM4-80GB", 8, 0, 108, 1410, Arithmetic::int8, 624},
    {"NVIDIA A10", 8, 6, 72, 1695, Arithmetic::fp16, 125},
    {"NVIDIA A10", 8, 6, 72, 1695, Arithmetic::tf32, 62.5},
    {"NVIDIA A10", 8, 6, 72, 1695, Arithmetic::fp32, 31.2},
    {"NVIDIA GeForce RTX 3090", 8, 6, 82, 1695, Arithmetic::bf16, 71},
    {"NVIDIA GeForce RTX 3090", 8, 6, 82, 1695, Arithmetic::tf32, 35.6},
    {"NVIDIA GeForce RTX 3090", 8, 6, 82, 1695, Arithmetic::fp16_in_fp16, 142},
    {"NVIDIA L4", 8, 9, 58, 2040, Arithmetic::fp16, 121},
    {"NVIDIA L4", 8, 9, 58, 2040, Arithmetic::fp8, 242.5},
    {"NVIDIA L4", 8, 9, 58, 2040, Arithmetic::fp32, 30.3},
    {"NVIDIA H200", 9, 0, 132, 1830, Arithmetic::fp16, 989},
    {"NVIDIA H200", 9, 0, 132, 1830, Arithmetic::bf16, 989},
    {"NVIDIA H200", 9, 0, 132, 1830, Arithmetic::tf32, 494.5},
    {"NVIDIA H200", 9, 0, 132, 1830, Arithmetic::fp8, 1979},
    {"NVIDIA H200", 9, 0, 132, 1830, Arithmetic::int8, 1979},
    {"NVIDIA H200", 9, 0, 132, 1980, Arithmetic::fp32, 67},
    {"NVIDIA H200", 9, 0, 132, 1980, Arithmetic::fp64, 34},
    {"NVIDIA H200", 9, 0, 132, 1980, Arithmetic::fp64_tensor, 67},
    {"NVIDIA B200", 10, 0, 148, 1860, Arithmetic::fp16, 2250},
    {"NVIDIA B200", 10, 0, 148, 1860, Arithmetic::fp4, 9000},
    {"NVIDIA B200", 10, 0, 148, 1965, Arithmetic::fp64, 37},
    {"NVIDIA B300", 10, 3, 148, 1920, Arithmetic::fp4, 14000},
    {"NVIDIA RTX PRO 6000 Blackwell", 12, 0, 188, 2617, Arithmetic::fp16, 503.8},
    {"NVIDIA RTX PRO 6000 Blackwell", 12, 0, 188, 2617, Arithmetic::fp32, 126},
    {"NVIDIA GeForce RTX 5090", 12, 0, 170, 2407, Arithmetic::fp16, 209.5},
    {"NVIDIA GeForce RTX 5090", 12, 0, 170, 2407, Arithmetic::fp4, 1676},
};
INSTANTIATE_TEST_SUITE_P(DataSheets, Peak, testing::ValuesIn(kPublished));

TEST(ArithmeticPeak, ScalesWithTheClockAskedFor) {
  const auto h200 = device("NVIDIA H200", 9, 0, 132, 1980);

  const auto full = arithmetic_peak(h200, Arithmetic::fp16);
  const auto half = arithmetic_peak(h200, Arithmetic::fp16, 990e6);

  EXPECT_DOUBLE_EQ(full->per_second, 2 * half->per_second);
  EXPECT_EQ(half->name, "fp16 at 990 MHz");
  EXPECT_EQ(half->quantity, "flops");
}

TEST(ArithmeticPeak, IsUnknownForAnUnknownArchitectureClockOrNumber) {
  EXPECT_FALSE(arithmetic_peak(device("later", 99, 0, 100, 2000), Arithmetic::fp32));
  EXPECT_FALSE(arithmetic_peak(device("NVIDIA H200", 9, 0, 132, 0), Arithmetic::fp32));
  EXPECT_FALSE(arithmetic_peak(device("NVIDIA H200", 9, 0, 132, 1980), Arithmetic::fp4));
  EXPECT_FALSE(arithmetic_peak(device("Tesla T4", 7, 5, 40, 1590), Arithmetic::bf16));
}

TEST(PciePeak, IsTheSignallingRateAfterTheLineCode) {
  EXPECT_NEAR(pcie_peak(5, 16)->per_second / 1e9, 63.0, 0.05);
  EXPECT_NEAR(pcie_peak(4, 16)->per_second / 1e9, 31.5, 0.05);
  EXPECT_NEAR(pcie_peak(3, 8)->per_second / 1e9, 7.88, 0.01);
  EXPECT_DOUBLE_EQ(pcie_peak(1, 1)->per_second, 0.25e9);
  EXPECT_DOUBLE_EQ(pcie_peak(6, 16)->per_second, 121e9);
  EXPECT_EQ(pcie_peak(5, 16)->name, "PCIe 5.0 x16");
}

TEST(PciePeak, IsUnknownForAnUnknownLink) {
  EXPECT_FALSE(pcie_peak(0, 16));
  EXPECT_FALSE(pcie_peak(7, 16));
  EXPECT_FALSE(pcie_peak(5, 0));
  EXPECT_FALSE(pcie_peak(record::DeviceInfo{}));
}

TEST(PciePeak, OfADeviceTakesThePresentWidthAndTheGreatestGeneration) {
  record::DeviceInfo info;
  info.pcie_generation = 1;  // idle
  info.pcie_generation_max = 5;
  info.pcie_width = 8;
  info.pcie_width_max = 16;

  EXPECT_EQ(pcie_peak(info)->name, "PCIe 5.0 x8");
}

TEST(MemoryPeak, SaysHowItIsReckoned) {
  record::DeviceInfo info;
  info.memory_clock_max_hz = 3201e6;
  info.memory_bus_bits = 6144;
  info.memory_peak_bytes_per_s = 2 * 3201e6 * 6144 / 8;

  const auto limit = memory_peak(info);

  ASSERT_TRUE(limit);
  EXPECT_NEAR(limit->per_second, 4.917e12, 0.001e12);
  EXPECT_EQ(limit->source, "2 x 3201 MHz x 6144 bit, read from the device");
  EXPECT_FALSE(memory_peak(record::DeviceInfo{}));
}

TEST(MemoryPeak, OfASliceSaysThatItIsTheBoards) {
  record::DeviceInfo info;
  info.memory_peak_bytes_per_s = 4.8e12;
  info.mig = false;
  EXPECT_EQ(memory_peak(info)->name, "device memory");
  info.mig = true;

  EXPECT_EQ(memory_peak(info)->name, "device memory of the board");
  EXPECT_THAT(memory_peak(info)->source, testing::HasSubstr("this is a slice of it"));
  EXPECT_EQ(memory_peak(info)->per_second, 4.8e12);
}

TEST(MemoryPeak, IsNoLimitOfWhatTheL2CacheMayHold) {
  record::DeviceInfo info;
  info.memory_peak_bytes_per_s = 4.8e12;
  info.l2_bytes = 60 << 20;

  EXPECT_FALSE(memory_peak(info, 128 << 20));
  EXPECT_TRUE(memory_peak(info, 240 << 20));
  EXPECT_TRUE(memory_peak(info, std::int64_t{1} << 30));
}

TEST(MemoryPeak, IsALimitOfAColdCallWhoseWritesTheCacheCannotKeep) {
  constexpr std::int64_t kMiB = 1 << 20;
  record::DeviceInfo info;
  info.memory_peak_bytes_per_s = 4.8e12;
  info.l2_bytes = 60 * kMiB;

  EXPECT_TRUE(memory_peak(info, {.bytes_read = 64 * kMiB, .bytes_written = 64 * kMiB})) << "a copy";
  EXPECT_FALSE(memory_peak(info, {.bytes_read = 32 * kMiB, .bytes_written = 32 * kMiB})) << "half of it may stay";
  EXPECT_TRUE(memory_peak(info, {.bytes_read = 64 * kMiB, .bytes_written = 4})) << "a sum";
  EXPECT_FALSE(memory_peak(info, {.bytes_read = 16 * kMiB, .bytes_written = 4})) << "the figure may be the hot one";
}

TEST(APrecision, ThatADeviceLacksIsNamedWithWhatItWouldTake) {
  const record::DeviceInfo turing = device("Tesla T4", 7, 5, 40, 1590), hopper = device("H100", 9, 0, 132, 1980);

  EXPECT_EQ(lacking("fp16", Arithmetic::fp16, turing), "");
  EXPECT_EQ(lacking("fp64", Arithmetic::fp64_tensor, turing), "");
  EXPECT_EQ(lacking("amp_bf16", Arithmetic::bf16, turing),
            "amp_bf16 wants compute capability 8.0 or newer; Tesla T4 has 7.5");
  EXPECT_EQ(lacking("tf32", Arithmetic::tf32, turing), "tf32 wants compute capability 8.0 or newer; Tesla T4 has 7.5");
  EXPECT_EQ(lacking("fp8_e4m3", Arithmetic::fp8, turing),
            "fp8_e4m3 wants compute capability 8.9 or newer; Tesla T4 has 7.5");
  EXPECT_EQ(lacking("fp8_e4m3", Arithmetic::fp8, hopper), "");
  EXPECT_EQ(lacking("fp4_e2m1", Arithmetic::fp4, hopper),
            "fp4_e2m1 wants compute capability 10.0 or newer; H100 has 9.0");
}

TEST(Roof, IsTheOneThatTakesLonger) {
  record::DeviceInfo h100 = device("H100", 9, 0, 132, 1980);
  h100.memory_peak_bytes_per_s = 3.35e12;
  const record::Workload square{.bytes_read = 4 << 20, .bytes_written = 2 << 20, .flops = std::int64_t{1} << 40};
  const record::Workload skinny{.bytes_read = 1 << 30, .bytes_written = 1 << 20, .flops = 1 << 30};

  EXPECT_EQ(roof(h100, Arithmetic::fp16, square)->quantity, "flops");
  EXPECT_EQ(roof(h100, Arithmetic::fp16, skinny)->quantity, "bytes");
}

TEST(Roof, OfFp64IsTheCudaCoresWhereThereAreNoTensorCoresForIt) {
  const record::Workload work{.bytes_read = 1, .flops = std::int64_t{1} << 40};

  EXPECT_EQ(roof(device("H100", 9, 0, 132, 1980), Arithmetic::fp64_tensor, work)->name, "fp64 tensor at 1980 MHz");
  EXPECT_EQ(roof(device("A10", 8, 6, 72, 1695), Arithmetic::fp64_tensor, work)->name, "fp64 at 1695 MHz");
}

TEST(Roof, IsTheOneThatIsKnown) {
  record::DeviceInfo unknown = device("unknown", 99, 0, 10, 1000);
  EXPECT_FALSE(roof(unknown, Arithmetic::fp16, {.flops = 1}));

  unknown.memory_peak_bytes_per_s = 1e12;
  EXPECT_EQ(roof(unknown, Arithmetic::fp16, {.flops = 1})->quantity, "bytes");
}

}  // namespace
}  // namespace cupel::device
