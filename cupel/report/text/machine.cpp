#include "cupel/report/text/machine.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cupel/units/format.hpp"

namespace cupel::report {

namespace {

// ", 5 boards" of several that were joined; nothing of one.
std::string boards_text(const record::DeviceInfo& device) {
  const auto commas = std::ranges::count(device.uuid, ',');
  return commas == 0 ? "" : fmt::format(", {} boards", commas + 1);
}

}  // namespace

std::string device_text(const record::DeviceInfo& device) {
  return fmt::format("{}, {} SMs, {}, driver {}{}", device.name, device.sm_count,
                     units::format_size(device.memory_bytes), device.driver_version, boards_text(device));
}

std::string host_text(const record::HostInfo& host) {
  const std::string cpu = host.cpu.empty() ? "unknown CPU" : host.cpu;
  return host.logical_cpus == 0 ? cpu : cpu + ", " + units::counted(host.logical_cpus, "CPU");
}

std::string machine_name(const record::Context& context, const std::string& unknown) {
  if (context.device && !context.device->name.empty()) {
    return context.device->name + boards_text(*context.device);
  }
  return context.host.cpu.empty() ? unknown : context.host.cpu;
}

}  // namespace cupel::report
