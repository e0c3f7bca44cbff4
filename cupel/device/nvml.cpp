#include "cupel/device/nvml.hpp"

#include <array>
#include <cstddef>
#include <utility>

#include "cupel/host/shared_library.hpp"
#include "cupel/record/machine.hpp"

namespace cupel::nvml {
namespace {

// The layouts above are an agreement with a binary: a change here is a bug.
static_assert(sizeof(Temperature) == 12);
static_assert(sizeof(ProcessInfo) == 24);
static_assert(offsetof(ProcessInfo, used_memory_bytes) == 8);
static_assert(sizeof(FieldValue) == 40);
static_assert(offsetof(FieldValue, value) == 32);

/// NVML marks the version of a structure by its size and a number in the high byte.
constexpr unsigned struct_version(std::size_t size, unsigned version) {
  return static_cast<unsigned>(size) | (version << 24);
}

constexpr double kMega = 1e6;
constexpr double kMilli = 1e-3;
constexpr double kNano = 1e-9;

constexpr std::pair<unsigned long long, const char*> kReasons[] = {
    {kSwPowerCap, "sw_power_cap"}, {kHwSlowdown, "hw_slowdown"}, {kSyncBoost, "sync_boost"},
    {kSwThermal, "sw_thermal"},    {kHwThermal, "hw_thermal"},   {kHwPowerBrake, "hw_power_brake"},
};

/// NVML_FI_DEV_CLOCKS_EVENT_REASON_*: nanoseconds per reason. The ids from 251 came with R570; older drivers refuse
/// them one by one, in the result of the field.
constexpr std::pair<unsigned, const char*> kCounterFields[] = {
    {74, "sw_power_cap"}, {76, "sync_boost"}, {251, "sw_thermal"}, {252, "hw_thermal"}, {253, "hw_power_brake"},
};

/// Calls an entry that writes one number after the handle (and other arguments).
template <class Number, class Function, class... Arguments>
std::optional<Number> get(Function* function, Handle handle, Arguments... arguments) {
  Number value{};
  if (function == nullptr || function(handle, arguments..., &value) != kSuccess) return std::nullopt;
  return value;
}

/// The same of an entry that writes what is on now and what will be after a reboot: what is on now.
template <class Number, class Function>
std::optional<Number> current(Function* function, Handle handle) {
  Number now{}, pending{};
  if (function == nullptr || function(handle, &now, &pending) != kSuccess) return std::nullopt;
  return now;
}

template <class Number>
std::optional<double> scaled(std::optional<Number> value, double unit) {
  if (!value) return std::nullopt;
  return static_cast<double>(*value) * unit;
}

std::optional<bool> is_on(const auto& value) { return value ? std::optional(*value != 0) : std::nullopt; }

/// A link that is not PCIe (C2C, virtual) reads 0, which is no width or generation.
std::optional<int> positive(std::optional<unsigned> value) {
  if (!value || *value == 0) return std::nullopt;
  return static_cast<int>(*value);
}

/// nvmlValueType_t 1, 2, 3 and 6 are the unsigned types; a counter is one of them.
std::optional<double> counter(const FieldValue& field) {
  if (field.result != kSuccess) return std::nullopt;
  switch (field.type) {
    case 1:
      return field.value.as_unsigned;
    case 2:
      return static_cast<double>(field.value.as_unsigned_long);
    case 3:
      return static_cast<double>(field.value.as_unsigned_long_long);
    case 6:
      return field.value.as_unsigned_short;
    default:
      return std::nullopt;
  }
}

// Newer names come first; older drivers have only the older ones.
template <class Function, class... Names>
void find(host::SharedLibrary& library, Function*& entry, Names... names) {
  entry = library.find<Function>(names...);
}

}  // namespace

Functions load() {
  // WSL keeps the driver's libraries in a folder that not every distribution's loader searches.
  host::SharedLibrary library("NVML", {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"});
  try {
    library.handle();
  } catch (const host::Unavailable&) {
    throw NvmlError("NVML cannot be loaded (libnvidia-ml.so.1 is not on the library path)");
  }
  Functions f;
  find(library, f.init, "nvmlInit_v2");
  find(library, f.shutdown, "nvmlShutdown");
  find(library, f.error_string, "nvmlErrorString");
  find(library, f.driver_version, "nvmlSystemGetDriverVersion");
  find(library, f.handle_by_uuid, "nvmlDeviceGetHandleByUUID");
  find(library, f.handle_by_pci_id, "nvmlDeviceGetHandleByPciBusId_v2");
  find(library, f.clock, "nvmlDeviceGetClockInfo");
  find(library, f.max_clock, "nvmlDeviceGetMaxClockInfo");
  find(library, f.power, "nvmlDeviceGetPowerUsage");
  find(library, f.energy, "nvmlDeviceGetTotalEnergyConsumption");
  find(library, f.temperature, "nvmlDeviceGetTemperatureV");
  find(library, f.temperature_old, "nvmlDeviceGetTemperature");
  find(library, f.event_reasons, "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons");
  find(library, f.processes, "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2");
  find(library, f.pcie_generation, "nvmlDeviceGetCurrPcieLinkGeneration");
  find(library, f.pcie_width, "nvmlDeviceGetCurrPcieLinkWidth");
  find(library, f.pcie_generation_max, "nvmlDeviceGetMaxPcieLinkGeneration");
  find(library, f.pcie_width_max, "nvmlDeviceGetMaxPcieLinkWidth");
  find(library, f.power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  find(library, f.power_limit_default, "nvmlDeviceGetPowerManagementDefaultLimit");
  find(library, f.persistence, "nvmlDeviceGetPersistenceMode");
  find(library, f.ecc, "nvmlDeviceGetEccMode");
  find(library, f.mig, "nvmlDeviceGetMigMode");
  find(library, f.memory_bus_bits, "nvmlDeviceGetMemoryBusWidth");
  find(library, f.nvlink_state, "nvmlDeviceGetNvLinkState");
  find(library, f.field_values, "nvmlDeviceGetFieldValues");
  return f;
}

Session::Session(const Functions& functions) : functions_(functions) {
  if (functions_.init == nullptr || (functions_.handle_by_pci_id == nullptr && functions_.handle_by_uuid == nullptr)) {
    throw NvmlError("NVML cannot be used: the library lacks nvmlInit_v2 or the entries that find a device");
  }
  const Return result = functions_.init();
  if (result == kSuccess) return;
  const char* text = functions_.error_string == nullptr ? nullptr : functions_.error_string(result);
  throw NvmlError("NVML does not start: " + std::string(text == nullptr ? "unknown error" : text) + " (" +
                  std::to_string(result) + ")");
}

Session::~Session() {
  if (functions_.shutdown != nullptr) functions_.shutdown();
}

std::string Session::driver_version() const {
  std::array<char, 96> text{};  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE is 80
  if (functions_.driver_version == nullptr) return {};
  if (functions_.driver_version(text.data(), static_cast<unsigned>(text.size() - 1)) != kSuccess) return {};
  return text.data();
}

std::vector<std::string> reason_names(unsigned long long mask) {
  std::vector<std::string> names;
  for (const auto& [reason, name] : kReasons) {
    if ((mask & reason) != 0) names.emplace_back(name);
  }
  return names;
}

std::optional<Device> Device::find(std::shared_ptr<const Session> session, const std::string& pci_id,
                                   const std::string& uuid) {
  const Functions& f = session->functions();
  Handle handle = nullptr;
  // The PCI id first: under MIG the UUID that CUDA shows is the instance's, the PCI id still the board's.
  if (f.handle_by_pci_id != nullptr && !pci_id.empty() && f.handle_by_pci_id(pci_id.c_str(), &handle) == kSuccess) {
    return Device(std::move(session), handle, uuid);
  }
  if (f.handle_by_uuid != nullptr && !uuid.empty() && f.handle_by_uuid(uuid.c_str(), &handle) == kSuccess) {
    return Device(std::move(session), handle, uuid);
  }
  return std::nullopt;
}

// Under MIG NVML lists the processes on all instances of a board, or, without the right to see others', on some.
Device::Device(std::shared_ptr<const Session> session, Handle handle, const std::string& uuid)
    : session_(std::move(session)), handle_(handle), instance_(handle) {
  if (!mig().value_or(false)) return;
  const std::string name = uuid.starts_with("GPU-") ? "MIG-" + uuid.substr(4) : uuid;  // CUDA does not say which
  const auto find = entries().handle_by_uuid;
  if (find == nullptr || find(name.c_str(), &instance_) != kSuccess) instance_ = nullptr;
}

std::optional<double> Device::clock_hz(ClockDomain clock) const {
  return scaled(get<unsigned>(entries().clock, handle_, static_cast<int>(clock)), kMega);
}
std::optional<double> Device::max_clock_hz(ClockDomain clock) const {
  return scaled(get<unsigned>(entries().max_clock, handle_, static_cast<int>(clock)), kMega);
}
std::optional<double> Device::power_w() const { return scaled(get<unsigned>(entries().power, handle_), kMilli); }
std::optional<double> Device::energy_j() const {
  return scaled(get<unsigned long long>(entries().energy, handle_), kMilli);
}

std::optional<double> Device::temperature_c() const {
  const Functions& f = entries();
  constexpr int kGpuSensor = 0;
  Temperature reading{struct_version(sizeof(Temperature), 1), kGpuSensor, 0};
  if (f.temperature != nullptr && f.temperature(handle_, &reading) == kSuccess) return reading.celsius;
  return scaled(get<unsigned>(f.temperature_old, handle_, kGpuSensor), 1);
}

std::optional<unsigned long long> Device::event_reasons() const {
  return get<unsigned long long>(entries().event_reasons, handle_);
}

std::optional<ThrottleCounters> Device::throttle_s() const {
  const Functions& f = entries();
  std::array<FieldValue, std::size(kCounterFields)> fields{};
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i].field = kCounterFields[i].first;
  if (f.field_values == nullptr) return std::nullopt;
  if (f.field_values(handle_, static_cast<int>(fields.size()), fields.data()) != kSuccess) return std::nullopt;

  ThrottleCounters counters;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (const auto value = counter(fields[i])) counters[kCounterFields[i].second] = *value * kNano;
  }
  if (counters.empty()) return std::nullopt;
  return counters;
}

namespace {

// NVML_FI_DEV_NVLINK_GET_SPEED, in Mbyte/s: from Hopper on, whose boards have no speed in common to tell.
double link_speed(const Functions& f, Handle handle, unsigned link) {
  FieldValue field{};
  field.field = 164;
  field.scope = link;
  if (f.field_values(handle, 1, &field) != kSuccess) return 0;
  return counter(field).value_or(0);
}

}  // namespace

// NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON and NVML_FI_DEV_NVLINK_LINK_COUNT. A board without links says that it has none,
// or that it does not know of them.
std::optional<NvLinks> Device::nvlinks() const {
  const Functions& f = entries();
  if (f.field_values == nullptr || f.nvlink_state == nullptr) return std::nullopt;
  std::array<FieldValue, 2> fields{};
  fields[0].field = 90;
  fields[1].field = 91;
  if (f.field_values(handle_, static_cast<int>(fields.size()), fields.data()) != kSuccess) return std::nullopt;
  const auto links = static_cast<unsigned>(counter(fields[1]).value_or(0));
  if (links == 0) return std::nullopt;
  NvLinks seen;
  seen.bytes_per_s = counter(fields[0]).value_or(0) * kMega;
  for (unsigned link = 0; link < links; ++link) {
    const auto up = get<unsigned>(f.nvlink_state, handle_, link);
    if (!up) continue;  // a place for a link that this board does not use
    ++(*up != 0 ? seen.up : seen.down);
    if (*up != 0 && seen.bytes_per_s == 0) seen.bytes_per_s = link_speed(f, handle_, link) * kMega;
  }
  return seen;
}

std::optional<std::vector<unsigned>> Device::process_ids() const {
  auto* function = entries().processes;
  if (function == nullptr || instance_ == nullptr) return std::nullopt;
  std::vector<ProcessInfo> processes(64);
  unsigned count = static_cast<unsigned>(processes.size());
  Return result = function(instance_, &count, processes.data());
  if (result == kInsufficientSize) {
    processes.resize(count + 16);  // more may have started meanwhile
    count = static_cast<unsigned>(processes.size());
    result = function(instance_, &count, processes.data());
  }
  if (result != kSuccess || count > processes.size()) return std::nullopt;
  std::vector<unsigned> ids;
  for (unsigned i = 0; i < count; ++i) ids.push_back(processes[i].pid);
  return ids;
}

std::optional<int> Device::pcie_generation() const {
  return positive(get<unsigned>(entries().pcie_generation, handle_));
}
std::optional<int> Device::pcie_width() const { return positive(get<unsigned>(entries().pcie_width, handle_)); }
std::optional<int> Device::pcie_generation_max() const {
  return positive(get<unsigned>(entries().pcie_generation_max, handle_));
}
std::optional<int> Device::pcie_width_max() const { return positive(get<unsigned>(entries().pcie_width_max, handle_)); }
std::optional<double> Device::power_limit_w() const {
  return scaled(get<unsigned>(entries().power_limit, handle_), kMilli);
}
std::optional<double> Device::power_limit_default_w() const {
  return scaled(get<unsigned>(entries().power_limit_default, handle_), kMilli);
}
std::optional<bool> Device::persistence() const { return is_on(get<int>(entries().persistence, handle_)); }
std::optional<bool> Device::ecc() const { return is_on(current<int>(entries().ecc, handle_)); }
std::optional<bool> Device::mig() const { return is_on(current<unsigned>(entries().mig, handle_)); }
std::optional<int> Device::memory_bus_bits() const { return get<unsigned>(entries().memory_bus_bits, handle_); }

std::optional<Device> open(const std::string& pci_id, const std::string& uuid, std::string& why_not) {
  try {
    auto device = Device::find(std::make_shared<const Session>(load()), pci_id, uuid);
    if (!device) why_not = "NVML does not know the device " + pci_id;
    return device;
  } catch (const NvmlError& error) {
    why_not = error.what();
    return std::nullopt;
  }
}

void describe(const Device& device, record::DeviceInfo& info) {
  info.sm_clock_max_hz = device.max_clock_hz(ClockDomain::sm).value_or(info.sm_clock_max_hz);
  info.memory_clock_max_hz = device.max_clock_hz(ClockDomain::memory).value_or(info.memory_clock_max_hz);
  info.memory_bus_bits = device.memory_bus_bits().value_or(info.memory_bus_bits);
  info.pcie_generation = device.pcie_generation();
  info.pcie_width = device.pcie_width();
  info.pcie_generation_max = device.pcie_generation_max();
  info.pcie_width_max = device.pcie_width_max();
  info.ecc = device.ecc();
  info.mig = device.mig();
  info.persistence = device.persistence();
  info.power_limit_w = device.power_limit_w();
  info.power_limit_default_w = device.power_limit_default_w();
  if (std::string version = device.session().driver_version(); !version.empty()) info.driver_version = version;
}

}  // namespace cupel::nvml
