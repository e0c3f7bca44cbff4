// NVIDIA's management library (NVML), loaded at run time: clocks, power, temperature, throttling, the PCIe link.
//
// nvml.h is not everywhere where CUDA is, and the library itself is missing in some containers and under WSL. So what
// is used of its interface is declared here, after NVIDIA's public reference (docs.nvidia.com/deploy/nvml-api), every
// entry may be absent, and every reading is optional. A test hands in a table of its own functions instead of the
// library's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/record/forward.hpp"

namespace cupel::nvml {

// --- The interface of the library. Names and layouts are NVML's. ---

using Return = int;
inline constexpr Return kSuccess = 0;
inline constexpr Return kInsufficientSize = 7;

struct OpaqueDevice;
using Handle = OpaqueDevice*;

/// nvmlClockType_t
enum class ClockDomain : int { graphics = 0, sm = 1, memory = 2 };

/// nvmlTemperature_v1_t
struct Temperature {
  unsigned version;
  int sensor;
  int celsius;
};

/// nvmlProcessInfo_v2_t, which nvmlDeviceGetComputeRunningProcesses_v2 and _v3 fill
struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory_bytes;
  unsigned gpu_instance;
  unsigned compute_instance;
};

/// nvmlValue_t
union Value {
  double as_double;
  unsigned as_unsigned;
  unsigned long as_unsigned_long;
  unsigned long long as_unsigned_long_long;
  long long as_long_long;
  int as_int;
  unsigned short as_unsigned_short;
};

/// nvmlFieldValue_t
struct FieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp_us;
  long long latency_us;
  int type;
  Return result;
  Value value;
};

/// The entries that are used; null where this driver's library has none.
struct Functions {
  Return (*init)() = nullptr;
  Return (*shutdown)() = nullptr;
  const char* (*error_string)(Return) = nullptr;
  Return (*driver_version)(char*, unsigned) = nullptr;
  Return (*handle_by_uuid)(const char*, Handle*) = nullptr;
  Return (*handle_by_pci_id)(const char*, Handle*) = nullptr;
  Return (*clock)(Handle, int, unsigned*) = nullptr;               // MHz
  Return (*max_clock)(Handle, int, unsigned*) = nullptr;           // MHz
  Return (*power)(Handle, unsigned*) = nullptr;                    // mW
  Return (*energy)(Handle, unsigned long long*) = nullptr;         // mJ since the driver was loaded
  Return (*temperature)(Handle, Temperature*) = nullptr;           // R565 and newer
  Return (*temperature_old)(Handle, int, unsigned*) = nullptr;     // before
  Return (*event_reasons)(Handle, unsigned long long*) = nullptr;  // R535 and newer; ThrottleReasons before
  Return (*processes)(Handle, unsigned*, ProcessInfo*) = nullptr;
  Return (*pcie_generation)(Handle, unsigned*) = nullptr;
  Return (*pcie_width)(Handle, unsigned*) = nullptr;
  Return (*pcie_generation_max)(Handle, unsigned*) = nullptr;
  Return (*pcie_width_max)(Handle, unsigned*) = nullptr;
  Return (*power_limit)(Handle, unsigned*) = nullptr;          // mW, enforced
  Return (*power_limit_default)(Handle, unsigned*) = nullptr;  // mW
  Return (*persistence)(Handle, int*) = nullptr;
  Return (*ecc)(Handle, int*, int*) = nullptr;            // current, pending
  Return (*mig)(Handle, unsigned*, unsigned*) = nullptr;  // current, pending
  Return (*memory_bus_bits)(Handle, unsigned*) = nullptr;
  Return (*field_values)(Handle, int, FieldValue*) = nullptr;
  Return (*nvlink_state)(Handle, unsigned, unsigned*) = nullptr;  // of one link: whether it is up
};

/// The library could not be loaded or refused to start. what(): one line.
class NvmlError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The entries of libnvidia-ml.so.1, which stays loaded for the life of the process. Throws NvmlError.
Functions load();

// --- What is made of it. ---

/// NVML, started; stopped with the last Device that uses it.
class Session {
 public:
  /// Throws NvmlError when the library refuses to start, or has no entry to find a device by.
  explicit Session(const Functions& functions);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Functions& functions() const { return functions_; }
  std::string driver_version() const;  ///< "580.159.04"; empty when unknown

 private:
  Functions functions_;
};

/// Bits of nvmlDeviceGetCurrentClocksEventReasons that hold clocks down, with the names used in records, in the order
/// of the bits. Idle and "application clocks set" are no throttling and are not among them. Power reasons are normal
/// for a kernel that draws the board's limit; heat and brake reasons make a result unfit.
inline constexpr unsigned long long kSwPowerCap = 0x4;
inline constexpr unsigned long long kHwSlowdown = 0x8;
inline constexpr unsigned long long kSyncBoost = 0x10;
inline constexpr unsigned long long kSwThermal = 0x20;
inline constexpr unsigned long long kHwThermal = 0x40;
inline constexpr unsigned long long kHwPowerBrake = 0x80;

/// The names of the bits that are set.
std::vector<std::string> reason_names(unsigned long long mask);

/// Time spent throttled, by reason ("sw_power_cap", ...), since the driver was loaded. The driver advances these
/// counters in steps (about 0.1 s), so that a difference over less says little.
using ThrottleCounters = std::map<std::string, double>;

/// The NVLinks of a board.
struct NvLinks {
  int up = 0, down = 0;
  double bytes_per_s = 0;  ///< of one link that is up, one way; 0 when unknown
};

/// One device, found by what does not change with CUDA_VISIBLE_DEVICES. Readings that fail or are not supported here
/// give nullopt; nothing throws.
class Device {
 public:
  /// By PCI id ("0000:3b:00.0", any width of the domain), else by UUID ("GPU-...", as CUDA has it: under MIG an
  /// instance's); never by index, because NVML and CUDA number devices differently. nullopt when NVML knows neither.
  static std::optional<Device> find(std::shared_ptr<const Session> session, const std::string& pci_id,
                                    const std::string& uuid);

  const Session& session() const { return *session_; }

  std::optional<double> clock_hz(ClockDomain clock) const;
  std::optional<double> max_clock_hz(ClockDomain clock) const;
  std::optional<double> power_w() const;
  std::optional<double> energy_j() const;
  std::optional<double> temperature_c() const;
  std::optional<unsigned long long> event_reasons() const;
  std::optional<ThrottleCounters> throttle_s() const;
  /// Compute processes; under MIG those on this instance alone.
  std::optional<std::vector<unsigned>> process_ids() const;
  std::optional<int> pcie_generation() const;
  std::optional<int> pcie_width() const;
  std::optional<int> pcie_generation_max() const;
  std::optional<int> pcie_width_max() const;
  std::optional<double> power_limit_w() const;
  std::optional<double> power_limit_default_w() const;
  std::optional<bool> persistence() const;
  std::optional<bool> ecc() const;
  std::optional<bool> mig() const;
  std::optional<int> memory_bus_bits() const;
  /// Nothing where the board has none.
  std::optional<NvLinks> nvlinks() const;

 private:
  const Functions& entries() const { return session_->functions(); }

  Device(std::shared_ptr<const Session> session, Handle handle, const std::string& uuid);

  std::shared_ptr<const Session> session_;
  Handle handle_;    ///< of the board
  Handle instance_;  ///< under MIG the part of it that is ours, null where NVML does not find it; else the board
};

/// The device of the driver's own library, or nullopt with the reason.
std::optional<Device> open(const std::string& pci_id, const std::string& uuid, std::string& why_not);

/// Sets what NVML knows of `device` in `info`; leaves the rest as it is.
void describe(const Device& device, record::DeviceInfo& info);

}  // namespace cupel::nvml
