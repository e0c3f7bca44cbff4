// Gathers the facts that doctor judges: looks at the host itself, and asks cupel-probe, a program of the GPU side,
// about the rest, so that a driver that hangs or crashes is a finding.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cupel/doctor/facts.hpp"

namespace cupel::doctor {

/// How cupel-probe is asked.
struct ProbeRequest {
  std::optional<std::filesystem::path> program = std::nullopt;  ///< absent: there is none
  std::optional<std::string> device = std::nullopt;             ///< number, or beginning of the UUID; absent: the first
  double timeout_s = 60;  ///< a cold driver and libraries from a network disk may take tens of seconds
};

/// Returns cupel-probe as it is built, beside cupel or above it, or as it is installed, in ../libexec/cupel; nothing
/// where it is not there. folder: the one that cupel is in.
std::optional<std::filesystem::path> find_probe(const std::filesystem::path& folder);

/// Gathers the facts of the host, and those of the GPU from the probe. Facts::gpu has for its trouble how a probe ended
/// that gave no answer or one that cannot be read; Facts::probe_trouble says that there is no probe. Throws
/// std::invalid_argument, whose text is the probe's own, where there is no such device.
Facts gather(const ProbeRequest& request);

}  // namespace cupel::doctor
