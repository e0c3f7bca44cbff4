#include "cupel/record/faults.hpp"

#include <algorithm>
#include <array>

#include "cupel/record/machine.hpp"
#include "cupel/units/format.hpp"

namespace cupel::record {
namespace {

constexpr std::array<std::string_view, 4> kHeatOrBrake{"hw_slowdown", "sw_thermal", "hw_thermal", "hw_power_brake"};

}  // namespace

std::optional<Fault> governor_fault(const HostInfo& host) {
  if (host.governor.empty() || host.governor == "performance") return std::nullopt;
  return Fault{"governor", "the CPU's frequency governor is " + host.governor,
               "The CPU clocks up only after a while: launches, synchronisation and pageable copies are slower and "
               "noisier.",
               "`sudo cpupower frequency-set -g performance` while measuring.", host.governor == "powersave"};
}

std::optional<Fault> pcie_width_fault(std::optional<int> width, std::optional<int> possible) {
  if (width.value_or(0) <= 0 || *width >= possible.value_or(*width)) return std::nullopt;
  const std::string lanes = std::to_string(*width), all = std::to_string(*possible);
  return Fault{"pcie-width", "the GPU's link has " + lanes + " of " + all + " lanes",
               "Copies between host and device reach at most " + lanes + "/" + all + " of the link's rate.",
               "Seat the board anew or in a slot with all lanes, and look for shared lanes in the firmware's settings; "
               "in a virtual machine ask for the whole link."};
}

std::optional<Fault> pcie_generation_fault(std::optional<int> generation, std::optional<int> possible,
                                           const std::string& seen) {
  if (!generation || *generation >= possible.value_or(*generation)) return std::nullopt;
  return Fault{"pcie-generation",
               "the GPU's link runs as PCIe " + std::to_string(*generation) + ".0, " + std::to_string(*possible) +
                   ".0 is possible" + (seen.empty() ? "" : "; " + seen),
               "Each generation less halves the rate of copies between host and device.",
               "See the slot's speed in the firmware's settings, and risers and retimers on the way; `lspci -vv` "
               "(LnkSta, LnkCap) shows both ends."};
}

std::optional<Fault> power_limit_fault(const DeviceInfo& device) {
  if (!device.power_limit_w || *device.power_limit_w >= device.power_limit_default_w.value_or(*device.power_limit_w))
    return std::nullopt;
  const std::string limit = units::format(*device.power_limit_w, units::Unit::watts),
                    standard = units::format(*device.power_limit_default_w, units::Unit::watts);
  return Fault{"power-limit", "the power limit is " + limit + ", " + standard + " by default",
               "Large GEMMs and convolutions run slower than on the same GPU at its default limit.",
               "`sudo nvidia-smi -pl " + units::format_fixed(*device.power_limit_default_w, 0) +
                   "`, if it was not lowered on purpose."};
}

std::optional<Fault> persistence_fault(const DeviceInfo& device) {
  if (device.persistence.value_or(true)) return std::nullopt;
  return Fault{"persistence", "persistence mode is off",
               "The driver unloads between processes: each start takes a second or more, and clocks and settings begin "
               "anew.",
               "`sudo nvidia-smi -pm 1`, or enable nvidia-persistenced."};
}

std::optional<Fault> build_fault(const std::string& type) {
  if (type.empty() || type == "Release" || type == "RelWithDebInfo") return std::nullopt;
  return Fault{"debug-build", "cupel's build is " + type + ", not Release",
               "Host times are too long: the code is not optimised.", "Configure with -DCMAKE_BUILD_TYPE=Release."};
}

Fault foreign_process_fault(const std::string& what) {
  return {"foreign-process", what, "Results beside another process are marked as disturbed.",
          "End it (`nvidia-smi` shows it), wait for its end or take another GPU, then measure again."};
}

bool is_throttling(std::string_view reason) { return std::ranges::find(kHeatOrBrake, reason) != kHeatOrBrake.end(); }

Fault throttling_fault(const std::string& what) {
  return {"throttled", what, "Heat or a power brake holds the clocks down: such results are marked as disturbed.",
          "Check cooling and power supply: `nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER`."};
}

}  // namespace cupel::record
