#include "bench/transfer/numa.hpp"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "cupel/host/shared_library.hpp"

namespace cupel::bench::transfer {
namespace {

constexpr int kMostNodes = 1024;  // CONFIG_NODES_SHIFT is 10 at most on the kernels in use

int parse_node(const std::string& text, const std::string& list) {
  int node = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, node);
  if (error != std::errc() || rest != end || node < 0 || node >= kMostNodes) {
    throw std::invalid_argument("not a list of NUMA nodes: \"" + list + "\"");
  }
  return node;
}

std::optional<std::string> first_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  return line;
}

// The memory policy of a range, by the system call: glibc has no wrapper, and libnuma would be one more dependency.
void bind(void* start, std::size_t bytes, int node) {
  constexpr std::size_t kBits = sizeof(unsigned long) * CHAR_BIT;
  std::vector<unsigned long> mask(kMostNodes / kBits, 0);
  mask[static_cast<std::size_t>(node) / kBits] = 1ul << (static_cast<std::size_t>(node) % kBits);
  // The kernel takes one less than the number of bits it is told of.
  if (syscall(SYS_mbind, start, bytes, MPOL_BIND, mask.data(), kMostNodes + 1ul, MPOL_MF_STRICT) != 0) {
    throw host::Unavailable("mbind to NUMA node " + std::to_string(node) + ": " + std::strerror(errno));
  }
}

}  // namespace

std::vector<int> parse_node_list(const std::string& text) {
  std::vector<int> nodes;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string range = text.substr(start, end - start);
    const std::size_t dash = range.find('-');
    const int first = parse_node(range.substr(0, dash), text);
    const int last = dash == std::string::npos ? first : parse_node(range.substr(dash + 1), text);
    for (int node = first; node <= last; ++node) nodes.push_back(node);
    start = end + 1;
  }
  return nodes;
}

std::vector<int> memory_nodes(const std::filesystem::path& root) {
  return parse_node_list(first_line(root / "devices/system/node/has_memory").value_or(""));
}

std::optional<int> node_of_pci_device(const std::string& pci_id, const std::filesystem::path& root) {
  std::string name = pci_id;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto line = first_line(root / "bus/pci/devices" / name / "numa_node");
  if (!line || line->empty() || *line == "-1") return std::nullopt;
  return parse_node(*line, *line);
}

void Pages::Unmap::operator()(std::uint32_t* p) const noexcept { munmap(p, bytes); }

Pages::Pages(std::int64_t bytes, int node) {
  const auto size = static_cast<std::size_t>(bytes);
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) {
    throw host::Unavailable("mmap of " + std::to_string(bytes) + " bytes: " + std::strerror(errno));
  }
  data_ = {static_cast<std::uint32_t*>(p), Unmap{size}};
  bind(p, size, node);
  std::memset(p, 0, size);
}

}  // namespace cupel::bench::transfer
