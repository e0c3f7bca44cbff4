#include "cupel/device/peaks.hpp"

#include <array>
#include <cstdio>

#include "cupel/record/machine.hpp"

namespace cupel::device {
namespace {

/// One architecture: operations per clock and SM. 0: none, or not published.
struct Rates {
  int compute;  ///< 10 major + minor
  double fp64, fp64_tensor, fp32, tf32, fp16, bf16, fp8, int8, fp4;
  const char* source;
};

// Each row gives its data sheets' figures back to 2 % (peaks_test.cpp): T4, A100, A10, L4, H100, B200, B300 and the
// RTX PRO 6000 Blackwell.
constexpr std::array<Rates, 8> kRates = {{
    {75, 4, 0, 128, 0, 1024, 0, 0, 2048, 0, "NVIDIA Turing architecture white paper"},
    {80, 64, 128, 128, 1024, 2048, 2048, 0, 4096, 0, "NVIDIA A100 architecture white paper"},
    {86, 4, 0, 256, 512, 1024, 1024, 0, 2048, 0, "NVIDIA GA102 architecture white paper"},
    {89, 4, 0, 256, 512, 1024, 1024, 2048, 2048, 0, "NVIDIA Ada architecture white paper"},
    {90, 128, 256, 256, 2048, 4096, 4096, 8192, 8192, 0, "NVIDIA H100 architecture white paper"},
    {100, 128, 128, 256, 4096, 8192, 8192, 16384, 16384, 32768, "NVIDIA Blackwell architecture brief"},
    {103, 4, 0, 256, 4096, 8192, 8192, 16384, 0, 49152, "NVIDIA Blackwell Ultra data sheet"},
    {120, 4, 0, 256, 512, 1024, 1024, 2048, 2048, 4096, "NVIDIA RTX Blackwell architecture white paper"},
}};

const Rates* rates(int major, int minor) {
  for (const Rates& row : kRates) {
    if (row.compute == 10 * major + minor) return &row;
  }
  return nullptr;
}

double rate(const Rates& row, Arithmetic arithmetic) {
  constexpr std::array kMembers{&Rates::fp64, &Rates::fp64_tensor, &Rates::fp32, &Rates::tf32, &Rates::fp16,
                                &Rates::fp16, &Rates::bf16,        &Rates::fp8,  &Rates::int8, &Rates::fp4};
  return row.*kMembers[static_cast<std::size_t>(arithmetic)];
}

bool halved_on_geforce(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::tf32 || arithmetic == Arithmetic::fp16 || arithmetic == Arithmetic::bf16 ||
         arithmetic == Arithmetic::fp8;
}

// The first devices that the toolkit and the libraries have it for, 10 major + minor. Double precision on tensor
// cores is the CUDA cores' where there are none for it.
int first_capability(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::tf32:
    case Arithmetic::bf16:
      return 80;
    case Arithmetic::fp8:
      return 89;
    case Arithmetic::fp4:
      return 100;
    default:
      return 75;
  }
}

std::string megahertz(double hz) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f MHz", hz / 1e6);
  return text.data();
}

}  // namespace

const char* to_string(Arithmetic arithmetic) {
  constexpr std::array kNames{"fp64",         "fp64 tensor", "fp32", "tf32", "fp16",
                              "fp16 in fp16", "bf16",        "fp8",  "int8", "fp4"};
  return kNames[static_cast<std::size_t>(arithmetic)];
}

std::string lacking(const std::string& precision, Arithmetic arithmetic, const record::DeviceInfo& device) {
  const int wanted = first_capability(arithmetic), has = 10 * device.compute_major + device.compute_minor;
  if (has >= wanted) return {};
  const auto dotted = [](int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  };
  return precision + " wants compute capability " + dotted(wanted) + " or newer; " + device.name + " has " +
         dotted(has);
}

std::optional<double> operations_per_clock_per_sm(int compute_major, int compute_minor, Arithmetic arithmetic,
                                                  bool geforce) {
  const Rates* row = rates(compute_major, compute_minor);
  if (row == nullptr || rate(*row, arithmetic) == 0) return std::nullopt;
  return rate(*row, arithmetic) / (geforce && halved_on_geforce(arithmetic) ? 2 : 1);
}

std::optional<record::Limit> arithmetic_peak(const record::DeviceInfo& device, Arithmetic arithmetic,
                                             std::optional<double> sm_clock_hz) {
  const double clock_hz = sm_clock_hz.value_or(device.sm_clock_max_hz);
  const bool geforce = device.name.find("GeForce") != std::string::npos;
  const auto operations = operations_per_clock_per_sm(device.compute_major, device.compute_minor, arithmetic, geforce);
  if (!operations || clock_hz <= 0 || device.sm_count <= 0) return std::nullopt;
  return record::Limit{.name = std::string(to_string(arithmetic)) + " at " + megahertz(clock_hz),
                       .quantity = arithmetic == Arithmetic::int8 ? "items" : "flops",
                       .per_second = *operations * device.sm_count * clock_hz,
                       .source = rates(device.compute_major, device.compute_minor)->source,
                       .clock_hz = clock_hz};
}

std::optional<record::Limit> memory_peak(const record::DeviceInfo& device) {
  if (device.memory_peak_bytes_per_s <= 0) return std::nullopt;
  record::Limit limit{.name = "device memory",
                      .quantity = "bytes",
                      .per_second = device.memory_peak_bytes_per_s,
                      .source = "2 x " + megahertz(device.memory_clock_max_hz) + " x " +
                                std::to_string(device.memory_bus_bits) + " bit, read from the device"};
  if (device.mig.value_or(false)) {
    limit.name += " of the board";
    limit.source += "; this is a slice of it, which has a part of the memory's channels";
  }
  return limit;
}

std::optional<record::Limit> memory_peak(const record::DeviceInfo& device, std::int64_t array_bytes) {
  constexpr std::int64_t kTimesL2 = 4;
  if (array_bytes < kTimesL2 * device.l2_bytes) return std::nullopt;
  return memory_peak(device);
}

std::optional<record::Limit> memory_peak(const record::DeviceInfo& device, const record::Workload& cold_call) {
  constexpr std::int64_t kGoodPart = 50;  // one in fifty
  const std::int64_t written = cold_call.bytes_written;
  const bool is_paid_for = written >= device.l2_bytes || written * kGoodPart <= cold_call.bytes();
  if (!is_paid_for || cold_call.bytes() < device.l2_bytes) return std::nullopt;
  return memory_peak(device);
}

std::optional<record::Limit> roof(const record::DeviceInfo& device, Arithmetic arithmetic,
                                  const record::Workload& work) {
  auto peak = arithmetic_peak(device, arithmetic);
  if (!peak && arithmetic == Arithmetic::fp64_tensor) peak = arithmetic_peak(device, Arithmetic::fp64);
  const auto memory = memory_peak(device);
  if (!peak || !memory) return peak ? peak : memory;
  const auto operations = static_cast<double>(peak->quantity == "items" ? work.items : work.flops);
  const bool memory_binds = static_cast<double>(work.bytes()) / memory->per_second > operations / peak->per_second;
  return memory_binds ? memory : peak;
}

std::optional<record::Limit> pcie_peak(int generation, int width) {
  struct Lane {
    double transfers_per_s, payload, total;  // of a line-code word, in the same unit
  };
  constexpr std::array<Lane, 6> kLanes = {
      {{2.5e9, 8, 10}, {5e9, 8, 10}, {8e9, 128, 130}, {16e9, 128, 130}, {32e9, 128, 130}, {64e9, 242, 256}}};
  if (generation < 1 || generation > static_cast<int>(kLanes.size()) || width < 1) return std::nullopt;
  const Lane& lane = kLanes[static_cast<std::size_t>(generation - 1)];
  constexpr double kBitsPerByte = 8;
  return record::Limit{.name = "PCIe " + std::to_string(generation) + ".0 x" + std::to_string(width),
                       .quantity = "bytes",
                       .per_second = width * lane.transfers_per_s / kBitsPerByte * lane.payload / lane.total,
                       .source = "PCI Express base specification: signalling rate and line code"};
}

std::optional<record::Limit> pcie_peak(const record::DeviceInfo& device) {
  const auto generation = device.pcie_generation_max ? device.pcie_generation_max : device.pcie_generation;
  const auto width = device.pcie_width ? device.pcie_width : device.pcie_width_max;
  if (!generation || !width) return std::nullopt;
  return pcie_peak(*generation, *width);
}

}  // namespace cupel::device
