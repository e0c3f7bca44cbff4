// A table of NVML functions over one imagined device, which may be parted by MIG, for tests. What it reports is set in
// state().
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "cupel/device/nvml.hpp"

namespace cupel::nvml::fake {

struct State {
  Return init_result = kSuccess;
  int sessions = 0;  ///< started and not stopped
  std::string pci_id = "00000000:3b:00.0";
  std::string uuid = "GPU-5f1c2b7e-0000-1111-2222-333344445555";
  unsigned sm_clock_mhz = 1980;
  unsigned memory_clock_mhz = 3201;
  unsigned power_mw = 350000;
  unsigned long long energy_mj = 1000;
  int temperature_c = 41;
  unsigned long long reasons = 0;
  unsigned long long hw_thermal_ns = 0;
  std::vector<unsigned> process_ids;  ///< on the board
  bool mig = false;
  std::string instance_uuid = "MIG-a0b1c2d3-0000-1111-2222-333344445555";
  std::vector<unsigned> instance_process_ids;
  unsigned pcie_generation = 5, pcie_width = 16;
};

inline State& state() {
  static State the_state;
  return the_state;
}

inline int the_device = 0;
inline int the_instance = 0;
inline Handle handle() { return reinterpret_cast<Handle>(&the_device); }
inline Handle instance() { return reinterpret_cast<Handle>(&the_instance); }

/// Resets state() and returns the whole table. Entries may then be taken out.
inline Functions functions() {
  state() = State{};
  Functions f;
  f.init = [] {
    if (state().init_result == kSuccess) ++state().sessions;
    return state().init_result;
  };
  f.shutdown = [] {
    --state().sessions;
    return kSuccess;
  };
  f.error_string = [](Return) { return "Driver Not Loaded"; };
  f.driver_version = [](char* text, unsigned size) {
    std::strncpy(text, "580.159.04", size);
    return kSuccess;
  };
  f.handle_by_pci_id = [](const char* id, Handle* out) {
    *out = handle();
    return state().pci_id == id ? kSuccess : 6;
  };
  f.handle_by_uuid = [](const char* id, Handle* out) {
    const bool is_instance = state().mig && state().instance_uuid == id;
    *out = is_instance ? instance() : handle();
    return is_instance || state().uuid == id ? kSuccess : 6;
  };
  f.clock = [](Handle, int clock, unsigned* mhz) {
    *mhz = clock == static_cast<int>(ClockDomain::memory) ? state().memory_clock_mhz : state().sm_clock_mhz;
    return kSuccess;
  };
  f.max_clock = f.clock;
  f.power = [](Handle, unsigned* mw) { return *mw = state().power_mw, kSuccess; };
  f.energy = [](Handle, unsigned long long* mj) { return *mj = state().energy_mj, kSuccess; };
  f.temperature = [](Handle, Temperature* t) {
    if (t->version != 0x0100000cu) return 25;  // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
    return t->celsius = state().temperature_c, kSuccess;
  };
  f.temperature_old = [](Handle, int, unsigned* celsius) {
    return *celsius = static_cast<unsigned>(state().temperature_c) + 1000, kSuccess;  // told from the newer entry
  };
  f.event_reasons = [](Handle, unsigned long long* mask) { return *mask = state().reasons, kSuccess; };
  f.processes = [](Handle of, unsigned* count, ProcessInfo* out) {
    const auto& ids = of == instance() ? state().instance_process_ids : state().process_ids;
    const unsigned room = *count;
    *count = static_cast<unsigned>(ids.size());
    if (room < ids.size()) return kInsufficientSize;
    for (std::size_t i = 0; i < ids.size(); ++i) out[i] = {ids[i], 0, 0, 0};
    return kSuccess;
  };
  f.pcie_generation = [](Handle, unsigned* value) { return *value = state().pcie_generation, kSuccess; };
  f.pcie_width = [](Handle, unsigned* value) { return *value = state().pcie_width, kSuccess; };
  f.pcie_generation_max = [](Handle, unsigned* value) { return *value = 5, kSuccess; };
  f.pcie_width_max = [](Handle, unsigned* value) { return *value = 16, kSuccess; };
  f.power_limit = [](Handle, unsigned* mw) { return *mw = 700000, kSuccess; };
  f.power_limit_default = [](Handle, unsigned* mw) { return *mw = 720000, kSuccess; };
  f.persistence = [](Handle, int* mode) { return *mode = 1, kSuccess; };
  f.ecc = [](Handle, int* now, int* later) { return *now = 1, *later = 1, kSuccess; };
  f.mig = [](Handle, unsigned* now, unsigned* later) { return *now = *later = state().mig ? 1 : 0, kSuccess; };
  f.memory_bus_bits = [](Handle, unsigned* bits) { return *bits = 6144, kSuccess; };
  f.field_values = [](Handle, int count, FieldValue* fields) {
    for (FieldValue* field = fields; field != fields + count; ++field) {
      field->result = field->field == 252 || field->field == 74 ? kSuccess : 3;  // NVML_ERROR_NOT_SUPPORTED
      field->type = 3;
      field->value.as_unsigned_long_long = field->field == 252 ? state().hw_thermal_ns : 0;
    }
    return kSuccess;
  };
  return f;
}

/// The imagined device, found by its PCI id.
inline Device device(const Functions& f) {
  return *Device::find(std::make_shared<const Session>(f), state().pci_id, "");
}

}  // namespace cupel::nvml::fake
