// Access Control Services of PCI Express: whether bridges send what GPUs say to each other up to the processor.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cupel::host {

/// Bridges above NVIDIA's GPUs on which ACS redirects requests or completions between peers, by their addresses
/// ("0000:00:01.0"), ascending. Their configuration space can be read by root alone; a bridge that cannot be read is
/// left out. root: another than "/" only in tests.
/// Source: PCI Express Base Specification 5.0, 7.7.8 (ACS Extended Capability).
std::vector<std::string> redirecting_bridges(const std::filesystem::path& root = "/");

}  // namespace cupel::host
