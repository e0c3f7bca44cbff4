// The state of the device beside a benchmark: clocks, power, heat, throttling.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cupel::record {

/// The state of the device while a benchmark ran. Absent: not readable here.
struct Telemetry {
  std::optional<double> sm_clock_hz;        ///< median of what was read while the work ran, else before and after it
  std::optional<bool> sm_clock_under_load;  ///< sm_clock_hz was read while the work ran; absent in older files
  std::optional<double> sm_clock_min_hz;
  std::optional<double> memory_clock_hz;
  std::optional<double> power_w;  ///< highest reading
  std::optional<double> energy_j;
  std::optional<double> temperature_c;  ///< highest reading
  std::vector<std::string>
      throttle_reasons;  ///< seen active at any reading, NVML's names: "hw_thermal", "sw_power_cap", ...
  std::map<std::string, double> throttle_s;  ///< time per reason, from the driver's counters
  std::optional<int> foreign_processes;      ///< other compute processes on the device
  bool settled = true;                       ///< `unsettled` is empty
  std::vector<std::string> unsettled;        ///< not at rest before sampling: "clock", "memory"; sustained: "pace"
  bool operator==(const Telemetry&) const = default;
};

}  // namespace cupel::record
