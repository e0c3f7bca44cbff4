// The machine that was measured on: its device, its host and its libraries. Sizes are bytes, clocks hertz.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cupel::record {

/// A GPU, as CUDA and NVML describe it. 0, empty or absent where that is not known.
struct DeviceInfo {
  std::string name;
  std::string uuid;    ///< "GPU-..."
  std::string pci_id;  ///< "00000000:00:06.0"
  int compute_major = 0;
  int compute_minor = 0;
  int sm_count = 0;
  double sm_clock_max_hz = 0;
  double memory_clock_max_hz = 0;
  std::int64_t memory_bytes = 0;
  int memory_bus_bits = 0;
  double memory_peak_bytes_per_s = 0;  ///< 2 x memory clock x bus width
  std::int64_t l2_bytes = 0;
  std::int64_t shared_bytes_per_sm = 0;
  int copy_engines = 0;
  std::optional<int> pcie_generation, pcie_generation_max, pcie_width, pcie_width_max;
  std::optional<bool> ecc, mig, persistence;
  std::optional<double> power_limit_w;          ///< in force
  std::optional<double> power_limit_default_w;  ///< the board's default
  std::string driver_version;                   ///< "580.159.04"
  int driver_cuda = 0;                          ///< highest CUDA the driver takes, 1000 major + 10 minor
  std::optional<int> numa_node;
  bool operator==(const DeviceInfo&) const = default;
};

/// A library with its versions, 0 or empty when absent. `compiled`: of the headers; `loaded`: of the library at run
/// time.
struct Library {
  std::string name;  ///< "cudart", "cublas", "cudnn", "nccl"
  std::string compiled;
  std::string loaded;
  std::string file = {};  ///< the file that was loaded, without the folders of its user
  bool operator==(const Library&) const = default;
};

/// A host. 0 or empty where that is not known.
struct HostInfo {
  std::string cpu;
  int logical_cpus = 0;
  int usable_cpus = 0;  ///< those that the process may run on: what a container or taskset left of them
  int numa_nodes = 0;
  std::int64_t memory_bytes = 0;
  std::string os;  ///< PRETTY_NAME of os-release
  std::string kernel;
  std::string governor;  ///< of cpu0; empty when unknown
  bool container = false;
  // Fields that only joined files have: the numbers of CPUs of their hosts, in order, where they are not all the same;
  // the number above is 0 then.
  std::vector<int> each_logical_cpus = {}, each_usable_cpus = {};
  // Fields that only files of other programs have. No fields of our files: a host's name is not published.
  std::string name = {};
  double clock_hz = 0;                         ///< 0 when unknown
  std::string caches = {};                     ///< "L1 Data 32 KiB, L2 Unified 1 MiB"; empty when unknown
  std::optional<bool> scaling = std::nullopt;  ///< the CPU's frequency changes by itself
  bool operator==(const HostInfo&) const = default;
};

}  // namespace cupel::record
