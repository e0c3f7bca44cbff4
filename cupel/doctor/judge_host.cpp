// The machine around the device, and how cupel was built.
#include "cupel/doctor/judge.hpp"
#include "cupel/units/format.hpp"

namespace cupel::doctor {
namespace {

using Findings = std::vector<Finding>;

constexpr std::int64_t kGibi = std::int64_t{1} << 30;

void build(const Facts& facts, Findings& findings) {
  if (const auto fault = record::build_fault(facts.context.build.type)) findings.push_back(finding(fault, "build", ""));
}

void machine(const Facts& facts, Findings& findings) {
  const record::HostInfo& host = facts.host.info;
  const bool has_all = host.usable_cpus == 0 || host.usable_cpus == host.logical_cpus;
  findings.push_back({Severity::ok, "host",
                      (host.cpu.empty() ? "processor of unknown name" : host.cpu) + ", " +
                          std::to_string(host.logical_cpus) + " logical CPUs" +
                          (has_all ? ", " : ", " + std::to_string(host.usable_cpus) + " of them usable here, ") +
                          std::to_string(host.numa_nodes) + (host.numa_nodes == 1 ? " NUMA node, " : " NUMA nodes, ") +
                          units::format_size(host.memory_bytes)});
  findings.push_back(
      {Severity::ok, "system", (host.os.empty() ? "unknown system" : host.os) + ", Linux " + host.kernel});
}

void governor(const Facts& facts, Findings& findings) {
  const record::HostInfo& host = facts.host.info;
  if (host.governor.empty()) return;  // a virtual machine, or no frequency scaling
  findings.push_back(finding(record::governor_fault(host), "governor", "CPU governor is " + host.governor));
}

void container(const Facts& facts, Findings& findings) {
  if (facts.host.container_kind.empty()) return;
  findings.push_back(
      {Severity::info, "container", "in a container (" + facts.host.container_kind + ")",
       "Processes of other containers on the GPU may be hidden, and limits may be lower than the host's."});
}

/// CUDA's own page-locked memory is made by the driver, outside this limit; what is mlock()ed or registered with a
/// network card (NCCL over InfiniBand) is inside it.
void locked_memory(const Facts& facts, Findings& findings) {
  const auto limit = facts.host.memlock_limit_bytes;
  if (!limit || *limit >= kGibi) return;
  const bool contained = !facts.host.container_kind.empty();
  findings.push_back({contained ? Severity::warn : Severity::info, "locked-memory",
                      "at most " + units::format_size(*limit) + " of memory may be locked (ulimit -l)",
                      "CUDA's page-locked buffers are made by the driver and mostly escape this limit; locked and "
                      "network-registered memory (NCCL over InfiniBand) does not.",
                      contained ? "Start the container with --ulimit memlock=-1 (Kubernetes, Slurm: set it for the "
                                  "runtime's or slurmd's service)."
                                : "`ulimit -l unlimited`, or a line in /etc/security/limits.conf."});
}

/// The largest transfers take 1 GiB on the host for source and target each, pageable and page-locked, beside the CUDA
/// context's own half GiB.
void memory_limit(const Facts& facts, Findings& findings) {
  constexpr std::int64_t kWanted = 8 * kGibi;
  const auto limit = facts.host.cgroup_memory_bytes;
  if (!limit || *limit >= kWanted) return;
  findings.push_back({Severity::warn, "memory-limit",
                      "a memory limit of " + units::format_size(*limit) + " holds here (cgroup)",
                      "The largest transfers need several GiB of host memory: such a benchmark may be killed.",
                      "Raise it (docker run --memory, Kubernetes limits, sbatch --mem) to " +
                          units::format_size(kWanted) + ", or run `--quick`."});
}

/// Ranks of NCCL on one machine and workers that load data hand over in /dev/shm. A container has 64 MiB of it unless
/// told otherwise, which a batch of 256 images of 224 x 224 fills twice.
void shared_memory(const Facts& facts, Findings& findings) {
  const auto free = facts.host.shared_memory_free_bytes;
  if (!free || *free >= kGibi) return;
  findings.push_back({Severity::warn, "shared-memory", "/dev/shm has " + units::format_size(*free) + " left",
                      "Workers that load data, and NCCL between processes, end with \"No space left on device\" or a "
                      "bus error when it is full.",
                      "Remove what ended processes left there; docker run --shm-size=8g or --ipc=host; in Kubernetes "
                      "mount an emptyDir of medium Memory there."});
}

void wsl(const Facts& facts, Findings& findings) {
  if (!facts.host.wsl) return;
  findings.push_back(
      {Severity::info, "wsl", "in the Windows Subsystem for Linux",
       "Launches are batched by Windows, page-locked memory is limited, and clocks and power can be read "
       "only in part: times of small work are not those of Linux.",
       "For numbers to compare, measure on Linux."});
}

}  // namespace

void judge_host(const Facts& facts, Findings& findings) {
  for (const auto judge : {machine, governor, container, locked_memory, memory_limit, shared_memory, wsl, build}) {
    judge(facts, findings);
  }
}

}  // namespace cupel::doctor
