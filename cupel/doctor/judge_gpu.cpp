// Driver, libraries, code and state of the device.
#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "cupel/doctor/judge.hpp"
#include "cupel/host/shared_library.hpp"
#include "cupel/units/format.hpp"

namespace cupel::doctor {
namespace {

using units::cuda_version;
using Findings = std::vector<Finding>;

std::string number(double value) { return units::format_fixed(value, 0); }

std::string megahertz(double hz) { return number(hz / 1e6) + " MHz"; }

/// Turns "do this" into "Do this."
std::string sentence(std::string text) {
  if (text.empty()) return text;
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text.back() == '.' ? text : text + ".";
}

std::string compute(int architecture) {
  return std::to_string(architecture / 10) + "." + std::to_string(architecture % 10);
}

/// Major and minor of "9.12.0"; -1 where there is none.
std::pair<int, int> major_minor(std::string_view version) {
  const auto part = [&version] {
    int value = -1;
    const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), value);
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (!version.empty()) version.remove_prefix(1);
    return error == std::errc() ? value : -1;
  };
  const int first = part();
  return {first, part()};
}

void driver(const Facts& facts, Findings& findings) {
  const GpuFacts& gpu = *facts.gpu;
  const std::string version = facts.context.device->driver_version;
  const std::string title = "driver " + (version.empty() ? "of unknown version" : version) + ", takes CUDA " +
                            cuda_version(gpu.driver_cuda) + "; built with CUDA " + cuda_version(gpu.runtime_cuda);
  findings.push_back(finding(gpu.driver_cuda >= gpu.runtime_cuda, Severity::warn, "driver", title,
                             "The driver is older than the toolkit within one major version: machine code runs, but "
                             "PTX of this toolkit cannot "
                             "be compiled and newer features fail.",
                             "Update the driver to one that takes CUDA " + cuda_version(gpu.runtime_cuda) + "."));
}

void code(const Facts& facts, Findings& findings) {
  const GpuFacts& gpu = *facts.gpu;
  findings.push_back(
      !gpu.code_jit
          ? Finding{Severity::ok, "code",
                    "machine code for compute capability " + compute(gpu.code_architecture) + " is embedded"}
          : Finding{Severity::warn, "code",
                    "no machine code for compute capability " + compute(gpu.code_architecture) +
                        ": the driver compiled the kernels from PTX",
                    "The first start takes seconds longer, and the kernels are those of an older architecture.",
                    "Build with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(gpu.code_architecture) + "."});
}

void library(const record::Library& lib, Findings& findings) {
  const std::string id = "library-" + lib.name;
  if (lib.compiled.empty() && lib.loaded.empty()) {
    findings.push_back({Severity::info, id, lib.name + " is not here", "Benchmarks that need it are left out."});
    return;
  }
  if (lib.loaded.empty()) {
    const std::string wheel = host::wheel_of(lib.name);
    findings.push_back({Severity::warn, id,
                        lib.name + " " + lib.compiled + ": cupel was compiled against it, and it cannot be loaded",
                        "Benchmarks that need it cannot start.",
                        (wheel.empty() ? "Put" : "pip install '" + wheel + "' beside cupel's wheel; or put") +
                            " its folder on LD_LIBRARY_PATH or into /etc/ld.so.conf.d (then ldconfig)."});
    return;
  }
  if (lib.compiled.empty()) {
    findings.push_back({Severity::info, id, lib.name + " " + lib.loaded + " is here, but was not when cupel was built",
                        "Benchmarks that need it are left out.", "Install its headers and build again."});
    return;
  }
  const auto compiled = major_minor(lib.compiled), loaded = major_minor(lib.loaded);
  const std::string from = lib.file.empty() ? "" : " from " + lib.file;
  const std::string title = lib.name + " " + lib.loaded + " loaded" + from + ", " + lib.compiled + " compiled against";
  if (loaded.first != compiled.first) {
    findings.push_back({Severity::error, id, title,
                        "Major versions differ: neither interface nor behaviour is the same.",
                        "Build against the version that is loaded, or load the one that was built against."});
    return;
  }
  findings.push_back(finding(loaded.second >= compiled.second, Severity::warn, id, title,
                             "The loaded version is older than the one cupel was compiled against: what is new in " +
                                 lib.compiled + " fails at run time, and " + lib.name + " may refuse to start.",
                             "Update the library that is loaded, or build against it."));
}

void monitoring(const Facts& facts, Findings& findings) {
  const GpuFacts& gpu = *facts.gpu;
  if (gpu.nvml_trouble.empty()) return;
  const char* action = facts.host.wsl
                           ? "Nothing: WSL passes on only part of NVML."
                           : "In a container, start it with NVIDIA_DRIVER_CAPABILITIES=compute,utility; else "
                             "install the driver's libnvidia-ml.so.1.";
  findings.push_back({Severity::warn, "nvml", gpu.nvml_trouble,
                      "Clocks, power, heat and other processes are not recorded: a throttled result is not recognised.",
                      action});
}

void clocks(const Facts& facts, Findings& findings) {
  const GpuFacts& gpu = *facts.gpu;
  const record::DeviceInfo& device = *facts.context.device;
  if (!gpu.busy_sm_clock_hz) return;
  std::string title =
      "SM clock under load " + megahertz(*gpu.busy_sm_clock_hz) + " of " + megahertz(device.sm_clock_max_hz);
  for (const std::string& reason : gpu.busy_throttle_reasons) title += ", " + reason;

  const auto& reasons = gpu.busy_throttle_reasons;
  constexpr double kLow = 0.9;  // a locked or held clock; boost itself wanders by a few percent
  if (std::ranges::any_of(reasons, record::is_throttling)) {
    findings.push_back(finding(record::throttling_fault(title), "clocks", ""));
  } else if (*gpu.busy_sm_clock_hz < kLow * device.sm_clock_max_hz) {
    findings.push_back(
        {Severity::warn, "clocks", title,
         "The clock stays low under load: locked on purpose, or held by a power limit. Arithmetic is "
         "slower by as much.",
         "See what holds it: `nvidia-smi -q -d PERFORMANCE,CLOCK`; undo a lock with `nvidia-smi -rgc`."});
  } else {
    findings.push_back({Severity::ok, "clocks", title});
  }
}

void power(const Facts& facts, Findings& findings) {
  if (const auto fault = record::power_limit_fault(*facts.context.device))
    findings.push_back(finding(fault, fault->id, ""));
}

std::string on_or_off(const std::string& what, bool on) { return what + (on ? " is on" : " is off"); }

void persistence(const Facts& facts, Findings& findings) {
  const record::DeviceInfo& device = *facts.context.device;
  if (device.persistence)
    findings.push_back(finding(record::persistence_fault(device), "persistence", on_or_off("persistence mode", true)));
}

void ecc(const Facts& facts, Findings& findings) {
  const auto on = facts.context.device->ecc;
  if (!on) return;
  findings.push_back(finding(*on, Severity::warn, "ecc", on_or_off("ECC", *on),
                             "Memory errors go unnoticed, and results are not comparable with servers, where it is on; "
                             "with GDDR memory, bandwidth is some percent higher without it.",
                             "`sudo nvidia-smi -e 1` and a reboot, unless it is off on purpose."));
}

void mig(const Facts& facts, Findings& findings) {
  if (!facts.context.device->mig.value_or(false)) return;
  findings.push_back(
      {Severity::warn, "mig", "MIG is on: this is a slice of the GPU",
       "This slice has a part of the board's SMs, memory and copy engines, and shares power and PCIe with its "
       "neighbours. Clocks, power and the memory peak are the whole board's: shares of the memory peak "
       "are too low.",
       "For numbers of the whole board, `sudo nvidia-smi -mig 0` (ends all work on it)."});
}

void compute_mode(const Facts& facts, Findings& findings) {
  const std::string& mode = facts.gpu->compute_mode;
  if (mode.empty() || mode == "default") return;
  findings.push_back({Severity::info, "compute-mode", "compute mode is " + mode,
                      "One process at a time may use the device: a second one, a profiler's too, is refused.",
                      "`sudo nvidia-smi -c DEFAULT`, if it is not so on purpose."});
}

void pcie(const Facts& facts, Findings& findings) {
  const record::DeviceInfo& device = *facts.context.device;
  const GpuFacts& gpu = *facts.gpu;
  if (!gpu.busy_pcie_generation || !gpu.busy_pcie_width) return;
  const auto narrow = record::pcie_width_fault(gpu.busy_pcie_width, device.pcie_width_max);
  const auto slow = record::pcie_generation_fault(gpu.busy_pcie_generation, device.pcie_generation_max);
  for (const auto& fault : {narrow, slow}) {
    if (fault) findings.push_back(finding(fault, fault->id, ""));
  }
  if (narrow || slow) return;
  findings.push_back({Severity::ok, "pcie",
                      "PCIe " + std::to_string(*gpu.busy_pcie_generation) + ".0 x" +
                          std::to_string(*gpu.busy_pcie_width) +
                          " under load, the most the device and its slot can do"});
}

void neighbours(const Facts& facts, Findings& findings) {
  const auto count = facts.gpu->foreign_processes;
  if (!count || *count == 0) return;
  const std::string what = units::counted(*count, "other process computes", "other processes compute") + " on this GPU";
  findings.push_back(finding(record::foreign_process_fault(what), "foreign-processes", ""));
}

void numa(const Facts& facts, Findings& findings) {
  const auto node = facts.context.device->numa_node;
  if (!node || facts.host.node_cpus.size() < 2) return;
  const std::vector<int> ours = host::nodes_of(facts.host.allowed_cpus, facts.host.node_cpus);
  const std::string gpu_node = std::to_string(*node);
  const std::string pin = "`numactl --cpunodebind=" + gpu_node + " --membind=" + gpu_node + " cupel run`.";
  if (std::ranges::find(ours, *node) == ours.end()) {
    findings.push_back({Severity::warn, "numa",
                        "the GPU is at NUMA node " + gpu_node + ", but this process may not run there",
                        "Copies and launches cross the link between the sockets: slower, and noisier.", pin});
  } else if (ours.size() > 1) {
    findings.push_back(
        {Severity::info, "numa",
         "the GPU is at NUMA node " + gpu_node + ", this process may run on " + std::to_string(ours.size()) + " nodes",
         "Copies and launches vary with the node that the scheduler chooses.", "For steady numbers, " + pin});
  } else {
    findings.push_back({Severity::ok, "numa", "runs at the GPU's NUMA node " + gpu_node});
  }
}

void pinned(const Facts& facts, Findings& findings) {
  if (facts.gpu->pinned_trouble.empty()) return;
  findings.push_back({Severity::error, "pinned-memory",
                      "64 MiB of page-locked memory could not be allocated: " + facts.gpu->pinned_trouble,
                      "The transfer family and everything asynchronous needs page-locked memory.",
                      "Raise the memory limit of the container or job, and `ulimit -l unlimited`."});
}

}  // namespace

void judge_gpu(const Facts& facts, Findings& findings) {
  if (!facts.gpu) {
    findings.push_back({Severity::info, "gpu", facts.probe_trouble, "Only the host's benchmarks can run.",
                        "For the GPU side, build with CUPEL_ENABLE_CUDA=ON (scripts/run --with-cuda)."});
    return;
  }
  const GpuFacts& gpu = *facts.gpu;
  if (!usable_gpu(facts)) {
    findings.push_back({Severity::error, "gpu", gpu.what.empty() ? "no usable GPU" : gpu.what,
                        "Only the host's benchmarks can run.", sentence(gpu.cure)});
  } else {
    findings.push_back({Severity::ok, "gpu",
                        facts.context.device->name + " (" + facts.context.device->pci_id + "), GPU " +
                            std::to_string(gpu.device) + " of " + std::to_string(std::max(gpu.device_count, 1))});
    driver(facts, findings);
    code(facts, findings);
  }
  for (const record::Library& each : facts.context.libraries) library(each, findings);
  if (!usable_gpu(facts)) return;
  for (const auto judge :
       {monitoring, clocks, power, persistence, ecc, mig, compute_mode, pcie, judge_peers, numa, pinned, neighbours}) {
    judge(facts, findings);
  }
}

}  // namespace cupel::doctor
