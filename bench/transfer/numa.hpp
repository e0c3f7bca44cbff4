// Which memory lies near the device: NUMA nodes as Linux tells of them, without libnuma.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cupel::bench::transfer {

/// "0-1,4" gives 0, 1, 4. Throws std::invalid_argument on anything else but an empty list.
std::vector<int> parse_node_list(const std::string& text);

/// Nodes that have memory, from `root`/devices/system/node/has_memory; empty when that cannot be read.
std::vector<int> memory_nodes(const std::filesystem::path& root = "/sys");

/// The node that a PCI device ("0000:3b:00.0", in any case) hangs on; nullopt when the machine does not tell.
std::optional<int> node_of_pci_device(const std::string& pci_id, const std::filesystem::path& root = "/sys");

/// Whole pages of anonymous memory.
class Pages {
 public:
  /// Bound to the node and touched, so that they are there. Throws host::Unavailable when the system refuses (a
  /// container may forbid mbind, a cpuset the node).
  Pages(std::int64_t bytes, int node);

  std::uint32_t* data() const { return data_.get(); }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(std::uint32_t* p) const noexcept;
  };
  std::unique_ptr<std::uint32_t, Unmap> data_;
};

}  // namespace cupel::bench::transfer
