#include "cupel/host/pcie_acs.hpp"

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace cupel::host {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Little-endian; 0 beyond the end.
unsigned number_at(const std::string& bytes, std::size_t offset, std::size_t size) {
  unsigned value = 0;
  for (std::size_t i = 0; i < size && offset + size <= bytes.size(); ++i) {
    value |= static_cast<unsigned>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
  }
  return value;
}

// Extended capabilities are a list: 16 bits of identity, 4 of version, 12 of where the next one is.
bool redirects_peers(const std::string& config) {
  constexpr std::size_t kFirst = 0x100;
  constexpr unsigned kAcs = 0x000d, kRequests = 1u << 2, kCompletions = 1u << 3, kControl = 6;
  std::set<std::size_t> seen;
  for (std::size_t at = kFirst; at >= kFirst && seen.insert(at).second;) {
    const unsigned header = number_at(config, at, 4);
    if ((header & 0xffff) == kAcs) return (number_at(config, at + kControl, 2) & (kRequests | kCompletions)) != 0;
    at = header >> 20;
  }
  return false;
}

bool is_gpu(const fs::path& device) {
  return content(device / "vendor").starts_with("0x10de") && content(device / "class").starts_with("0x03");
}

}  // namespace

std::vector<std::string> redirecting_bridges(const fs::path& root) {
  static const std::regex kAddress("[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");
  std::set<std::string> found;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(root / "sys/bus/pci/devices", failed)) {
    if (!is_gpu(entry.path())) continue;
    // The link leads to where the device is, below all bridges that are above it.
    fs::path bridge = fs::canonical(entry.path(), failed).parent_path();
    for (; std::regex_match(bridge.filename().string(), kAddress); bridge = bridge.parent_path()) {
      if (redirects_peers(content(bridge / "config"))) found.insert(bridge.filename().string());
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace cupel::host
