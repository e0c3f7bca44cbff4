#include "cupel/device/device_info.hpp"

#include <cuda_runtime.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "cupel/cuda/cuda.hpp"
#include "cupel/record/machine.hpp"

namespace cupel::device {
namespace {

using cuda::attribute;
using cuda::check;

std::string pci_id(int device) {
  std::array<char, 32> text{};
  check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device));
  return full_pci_id(text.data());
}

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  return properties;
}

std::string uuid_of(const cudaDeviceProp& properties) {
  unsigned char bytes[16];
  for (std::size_t i = 0; i < std::size(bytes); ++i) bytes[i] = static_cast<unsigned char>(properties.uuid.bytes[i]);
  return uuid_text(bytes);
}

std::string read_file(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

bool is_version(std::string_view word) {
  bool dot = false;
  for (const char c : word) {
    if (c != '.' && std::isdigit(static_cast<unsigned char>(c)) == 0) return false;
    dot = dot || c == '.';
  }
  return dot && std::isdigit(static_cast<unsigned char>(word.front())) != 0;
}

}  // namespace

std::string full_pci_id(std::string_view pci_id) {
  unsigned domain = 0, bus = 0, slot = 0, function = 0;
  const std::string text(pci_id);
  if (std::sscanf(text.c_str(), "%8x:%2x:%2x.%1x", &domain, &bus, &slot, &function) != 4) return text;
  std::array<char, 32> full{};
  std::snprintf(full.data(), full.size(), "%08X:%02X:%02X.%X", domain, bus, slot, function);
  return full.data();
}

std::string uuid_text(const unsigned char (&bytes)[16]) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < std::size(bytes); ++i) {
    std::array<char, 3> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x", bytes[i]);
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += hex.data();
  }
  return text;
}

std::string kernel_module_version(std::string_view proc_text) {
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  <date>": the first word that is a version.
  std::istringstream words{std::string(proc_text.substr(0, proc_text.find('\n')))};
  for (std::string word; words >> word;) {
    if (is_version(word)) return word;
  }
  return {};
}

std::vector<VisibleDevice> visible_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  cudaGetLastError();  // why there is none is for availability() to say
  std::vector<VisibleDevice> devices;
  for (int device = 0; device < count; ++device) {
    const cudaDeviceProp properties = properties_of(device);
    devices.push_back({properties.name, uuid_of(properties)});
  }
  return devices;
}

record::DeviceInfo read_device_info(int device, const nvml::Device* monitor) {
  constexpr double kKilo = 1e3;
  const cudaDeviceProp properties = properties_of(device);
  record::DeviceInfo info;
  info.name = properties.name;
  info.uuid = uuid_of(properties);
  info.pci_id = pci_id(device);
  info.compute_major = properties.major;
  info.compute_minor = properties.minor;
  info.sm_count = properties.multiProcessorCount;
  info.sm_clock_max_hz = kKilo * attribute(cudaDevAttrClockRate, device);
  info.memory_clock_max_hz = kKilo * attribute(cudaDevAttrMemoryClockRate, device);
  info.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  info.memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, device);
  info.l2_bytes = attribute(cudaDevAttrL2CacheSize, device);
  info.shared_bytes_per_sm = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  info.copy_engines = attribute(cudaDevAttrAsyncEngineCount, device);
  check(cudaDriverGetVersion(&info.driver_cuda));
  if (const int node = attribute(cudaDevAttrHostNumaId, device); node >= 0) info.numa_node = node;

  if (monitor != nullptr) nvml::describe(*monitor, info);
  if (info.driver_version.empty()) {
    info.driver_version = kernel_module_version(read_file("/proc/driver/nvidia/version"));
  }
  constexpr double kTransfersPerClock = 2;  // double data rate, as NVIDIA counts the memory clock
  constexpr double kBitsPerByte = 8;
  info.memory_peak_bytes_per_s = kTransfersPerClock * info.memory_clock_max_hz * info.memory_bus_bits / kBitsPerByte;
  return info;
}

std::optional<nvml::Device> open_monitor(int device, std::string& why_not) {
  return nvml::open(pci_id(device), uuid_of(properties_of(device)), why_not);
}

}  // namespace cupel::device
