// Finds the driver's library and its entries.
#include <dlfcn.h>

#include "cupel/device/nvml.hpp"

namespace cupel::nvml {
namespace {

void* open_library() {
  // WSL keeps the driver's libraries in a folder that not every distribution's loader searches.
  for (const char* name : {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"}) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

/// The first of the names that the library has. Newer names come first; older drivers have only the older ones.
template <class Function, class... Names>
void resolve(void* library, Function*& entry, Names... names) {
  for (const char* name : {names...}) {
    if (entry == nullptr) entry = reinterpret_cast<Function*>(dlsym(library, name));
  }
}

}  // namespace

Functions load() {
  void* library = open_library();
  if (library == nullptr) throw NvmlError("NVML cannot be loaded (libnvidia-ml.so.1 is not on the library path)");
  Functions f;
  resolve(library, f.init, "nvmlInit_v2");
  resolve(library, f.shutdown, "nvmlShutdown");
  resolve(library, f.error_string, "nvmlErrorString");
  resolve(library, f.driver_version, "nvmlSystemGetDriverVersion");
  resolve(library, f.handle_by_uuid, "nvmlDeviceGetHandleByUUID");
  resolve(library, f.handle_by_pci_id, "nvmlDeviceGetHandleByPciBusId_v2");
  resolve(library, f.clock, "nvmlDeviceGetClockInfo");
  resolve(library, f.max_clock, "nvmlDeviceGetMaxClockInfo");
  resolve(library, f.power, "nvmlDeviceGetPowerUsage");
  resolve(library, f.energy, "nvmlDeviceGetTotalEnergyConsumption");
  resolve(library, f.temperature, "nvmlDeviceGetTemperatureV");
  resolve(library, f.temperature_old, "nvmlDeviceGetTemperature");
  resolve(library, f.event_reasons, "nvmlDeviceGetCurrentClocksEventReasons",
          "nvmlDeviceGetCurrentClocksThrottleReasons");
  resolve(library, f.processes, "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2");
  resolve(library, f.pcie_generation, "nvmlDeviceGetCurrPcieLinkGeneration");
  resolve(library, f.pcie_width, "nvmlDeviceGetCurrPcieLinkWidth");
  resolve(library, f.pcie_generation_max, "nvmlDeviceGetMaxPcieLinkGeneration");
  resolve(library, f.pcie_width_max, "nvmlDeviceGetMaxPcieLinkWidth");
  resolve(library, f.power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  resolve(library, f.power_limit_default, "nvmlDeviceGetPowerManagementDefaultLimit");
  resolve(library, f.persistence, "nvmlDeviceGetPersistenceMode");
  resolve(library, f.ecc, "nvmlDeviceGetEccMode");
  resolve(library, f.mig, "nvmlDeviceGetMigMode");
  resolve(library, f.memory_bus_bits, "nvmlDeviceGetMemoryBusWidth");
  resolve(library, f.field_values, "nvmlDeviceGetFieldValues");
  return f;
}

}  // namespace cupel::nvml
