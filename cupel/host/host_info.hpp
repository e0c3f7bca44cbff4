// Facts of the machine around the device, read from /proc, /sys and /etc. Nothing here needs CUDA or a library.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/record/forward.hpp"
#include "cupel/record/machine.hpp"

namespace cupel::host {

/// Facts that `cupel doctor` judges beyond HostInfo.
struct HostFacts {
  record::HostInfo info;
  std::string container_kind;                            ///< "docker", "podman", "kubernetes", ..., empty outside one
  bool wsl = false;                                      ///< Windows Subsystem for Linux
  std::optional<std::int64_t> memlock_limit_bytes;       ///< soft RLIMIT_MEMLOCK; absent: unlimited
  std::optional<std::int64_t> cgroup_memory_bytes;       ///< smallest memory limit above this process; absent: none
  std::optional<std::int64_t> shared_memory_free_bytes;  ///< of /dev/shm
  bool iommu_translates = false;                         ///< a group of devices has its addresses translated
  std::vector<std::string> redirecting_bridges;          ///< as pcie_acs.hpp has it
  std::vector<int> allowed_cpus;                         ///< this process may run on these
  std::map<int, std::vector<int>> node_cpus;             ///< CPUs of each NUMA node
};

/// root: where /proc, /sys and /etc are found; another than "/" only in tests. What cannot be read is left empty or 0.
record::HostInfo read_host_info(const std::filesystem::path& root = "/");

/// Takes from `from` what `info` does not say of the same machine, as another program's file does of most.
void fill_missing(record::HostInfo& info, const record::HostInfo& from);

HostFacts read_host_facts(const std::filesystem::path& root = "/");

/// "0-3,8,10-11" as the kernel writes lists of CPUs and nodes. Malformed parts are passed over; a range wider than
/// 65536 counts as malformed.
std::vector<int> parse_cpu_list(std::string_view text);

/// The NUMA nodes that own at least one of `cpus`, ascending.
std::vector<int> nodes_of(const std::vector<int>& cpus, const std::map<int, std::vector<int>>& node_cpus);

/// The build of the calling program. Google Benchmark is left out: only programs with it can tell.
record::Build this_build();

}  // namespace cupel::host
