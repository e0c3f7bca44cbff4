#include "cupel/host/host_info.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "cupel/host/pcie_acs.hpp"
#include "cupel/record/run_info.hpp"
#include "cupel/version.hpp"

namespace cupel::host {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string read_line(const fs::path& path) {
  const std::string text = text_of(path);
  return std::string(trim(std::string_view(text).substr(0, text.find('\n'))));
}

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  text = trim(text);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The value of the first line "key<separator>value"; blanks around both are dropped.
std::string field(const std::string& text, std::string_view key, char separator) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(separator);
    if (at == std::string::npos) continue;
    if (trim(std::string_view(line).substr(0, at)) == key)
      return std::string(trim(std::string_view(line).substr(at + 1)));
  }
  return {};
}

std::string unquoted(std::string text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front()) {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

/// x86 names its processor; Arm gives two numbers from its registers, which name it no less exactly.
std::string cpu_name(const fs::path& root) {
  const std::string cpuinfo = text_of(root / "proc/cpuinfo");
  if (std::string name = field(cpuinfo, "model name", ':'); !name.empty()) return name;
  const std::string implementer = field(cpuinfo, "CPU implementer", ':');
  const std::string part = field(cpuinfo, "CPU part", ':');
  if (implementer.empty()) return {};
  return "Arm implementer " + implementer + " part " + part;
}

std::vector<int> allowed_cpus(const fs::path& root) {
  return parse_cpu_list(field(text_of(root / "proc/self/status"), "Cpus_allowed_list", ':'));
}

int count_cpus(const fs::path& root) {
  const auto online = parse_cpu_list(read_line(root / "sys/devices/system/cpu/online"));
  if (!online.empty()) return static_cast<int>(online.size());
  std::istringstream lines(text_of(root / "proc/cpuinfo"));
  int count = 0;
  for (std::string line; std::getline(lines, line);) count += line.starts_with("processor") ? 1 : 0;
  return count;
}

std::string operating_system(const fs::path& root) {
  for (const char* path : {"etc/os-release", "usr/lib/os-release"}) {
    std::string name = unquoted(field(text_of(root / path), "PRETTY_NAME", '='));
    if (!name.empty()) return name;
  }
  return {};
}

/// Runtimes leave a mark: docker and podman a file, systemd-nspawn and others a word in /run, kubernetes and the older
/// cgroup layout a path.
std::string container_kind(const fs::path& root) {
  if (is_file(root / "run/.containerenv")) return "podman";
  if (is_file(root / "var/run/secrets/kubernetes.io")) return "kubernetes";
  const std::string groups = text_of(root / "proc/1/cgroup") + text_of(root / "proc/self/cgroup");
  if (groups.find("kubepods") != std::string::npos) return "kubernetes";
  if (is_file(root / ".dockerenv") || groups.find("docker") != std::string::npos) return "docker";
  if (groups.find("lxc") != std::string::npos) return "lxc";
  if (is_file(root / ".singularity.d")) return "apptainer";
  return read_line(root / "run/systemd/container");
}

std::map<int, std::vector<int>> cpus_by_node(const fs::path& root) {
  std::map<int, std::vector<int>> nodes;
  const fs::path folder = root / "sys/devices/system/node";
  for (const int node : parse_cpu_list(read_line(folder / "online"))) {
    nodes[node] = parse_cpu_list(read_line(folder / ("node" + std::to_string(node)) / "cpulist"));
  }
  return nodes;
}

/// A line of /proc/self/limits: the name in columns, then soft limit, hard limit, unit.
std::optional<std::int64_t> memlock_limit(const fs::path& root) {
  constexpr std::string_view kName = "Max locked memory";
  std::istringstream lines(text_of(root / "proc/self/limits"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kName)) continue;
    return parse_number<std::int64_t>(std::string_view(line).substr(kName.size()));  // "unlimited" is no number
  }
  return std::nullopt;
}

std::optional<std::int64_t> free_shared_memory(const fs::path& root) {
  std::error_code failed;
  if (!fs::is_directory(root / "dev/shm", failed)) return std::nullopt;
  const fs::space_info space = fs::space(root / "dev/shm", failed);
  if (failed) return std::nullopt;
  return static_cast<std::int64_t>(space.available);
}

/// A group's type is "identity" where addresses pass as they are; "DMA", "DMA-FQ" where they are translated.
bool iommu_translates(const fs::path& root) {
  std::error_code ignored;
  for (const auto& group : fs::directory_iterator(root / "sys/kernel/iommu_groups", ignored)) {
    if (read_line(group.path() / "type").starts_with("DMA")) return true;
  }
  return false;
}

void keep_smaller(std::optional<std::int64_t>& limit, const std::string& text) {
  const auto value = parse_number<std::int64_t>(text);
  constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;  // cgroup v1 writes a huge number where v2 writes "max"
  if (value && *value > 0 && *value < kNoLimit) limit = std::min(limit.value_or(*value), *value);
}

/// From the process's own group up to the root: a parent's limit binds its children.
std::optional<std::int64_t> smallest_limit(const fs::path& mount, fs::path group, const char* file) {
  std::optional<std::int64_t> limit;
  for (group = group.relative_path();; group = group.parent_path()) {
    keep_smaller(limit, read_line(mount / group / file));
    if (group.empty()) return limit;
  }
}

std::optional<std::int64_t> cgroup_memory(const fs::path& root) {
  const fs::path mount = root / "sys/fs/cgroup";
  std::optional<std::int64_t> limit;
  std::istringstream lines(text_of(root / "proc/self/cgroup"));  // hierarchy:controllers:path
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    std::optional<std::int64_t> found;
    if (controllers.empty()) found = smallest_limit(mount, group, "memory.max");
    if (controllers == "memory") found = smallest_limit(mount / "memory", group, "memory.limit_in_bytes");
    if (found) limit = std::min(limit.value_or(*found), *found);
  }
  return limit;
}

bool is_wsl(const std::string& kernel) {
  return kernel.find("microsoft") != std::string::npos || kernel.find("Microsoft") != std::string::npos;
}

}  // namespace

std::vector<int> parse_cpu_list(std::string_view text) {
  constexpr int kWidest = 65536;
  std::vector<int> cpus;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view part = trim(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    const auto dash = part.find('-');
    const auto first = parse_number<int>(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_number<int>(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last - *first >= kWidest) continue;
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

std::vector<int> nodes_of(const std::vector<int>& cpus, const std::map<int, std::vector<int>>& node_cpus) {
  std::vector<int> nodes;
  for (const auto& [node, own] : node_cpus) {
    const bool touched =
        std::ranges::any_of(cpus, [&own = own](int cpu) { return std::ranges::find(own, cpu) != own.end(); });
    if (touched) nodes.push_back(node);
  }
  return nodes;
}

record::HostInfo read_host_info(const fs::path& root) {
  constexpr std::int64_t kKibi = 1024;
  record::HostInfo info;
  info.cpu = cpu_name(root);
  info.logical_cpus = count_cpus(root);
  info.usable_cpus = static_cast<int>(allowed_cpus(root).size());
  info.numa_nodes = static_cast<int>(parse_cpu_list(read_line(root / "sys/devices/system/node/online")).size());
  info.memory_bytes =
      parse_number<std::int64_t>(field(text_of(root / "proc/meminfo"), "MemTotal", ':')).value_or(0) * kKibi;
  info.os = operating_system(root);
  info.kernel = read_line(root / "proc/sys/kernel/osrelease");
  info.governor = read_line(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  info.container = !container_kind(root).empty();
  return info;
}

void fill_missing(record::HostInfo& info, const record::HostInfo& from) {
  const auto fill = [](auto& to, const auto& value) {
    if (to == std::remove_cvref_t<decltype(to)>{}) to = value;
  };
  if (info.cpu.empty()) info.container = from.container;
  fill(info.cpu, from.cpu);
  fill(info.logical_cpus, from.logical_cpus);
  fill(info.usable_cpus, from.usable_cpus);
  fill(info.numa_nodes, from.numa_nodes);
  fill(info.memory_bytes, from.memory_bytes);
  fill(info.os, from.os);
  fill(info.kernel, from.kernel);
  fill(info.governor, from.governor);
}

HostFacts read_host_facts(const fs::path& root) {
  HostFacts facts;
  facts.info = read_host_info(root);
  facts.container_kind = container_kind(root);
  facts.wsl = is_wsl(facts.info.kernel);
  facts.memlock_limit_bytes = memlock_limit(root);
  facts.cgroup_memory_bytes = cgroup_memory(root);
  facts.shared_memory_free_bytes = free_shared_memory(root);
  facts.iommu_translates = iommu_translates(root);
  facts.redirecting_bridges = redirecting_bridges(root);
  facts.allowed_cpus = allowed_cpus(root);
  facts.node_cpus = cpus_by_node(root);
  return facts;
}

record::Build this_build() {
  const BuildInfo& info = build_info();
  record::Build build;
  build.version = info.version;
  build.git_revision = info.git_revision;
  build.git_dirty = info.git_dirty;
  build.type = info.build_type;
  build.cxx_compiler = info.cxx_compiler;
  build.cuda_compiler = info.cuda_compiler;
  build.cuda_architectures = info.cuda_architectures;
  return build;
}

}  // namespace cupel::host
