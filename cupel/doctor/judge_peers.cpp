// Judges the links between the GPUs of the machine. Says nothing where there is one GPU.
#include <cstddef>
#include <string>
#include <vector>

#include "cupel/doctor/judge.hpp"
#include "cupel/units/format.hpp"

namespace cupel::doctor {
namespace {

using units::cuda_version;
using Findings = std::vector<Finding>;

void peer_access(const GpuFacts& gpu, Findings& findings) {
  if (!gpu.peer_pairs) return;
  const int pairs = gpu.device_count * (gpu.device_count - 1) / 2;
  const std::string joined = std::to_string(*gpu.peer_pairs) + " of " + std::to_string(pairs);
  findings.push_back(
      finding(*gpu.peer_pairs == pairs, Severity::warn, "peer-access", "peer access in " + joined + " pairs of GPUs",
              "Copies in the others go through the host, and collectives through shared memory.",
              "See `nvidia-smi topo -p2p r`; virtual machines and containers may hide what the boards can do."));
}

void nvlink(const GpuFacts& gpu, Findings& findings) {
  const int up = gpu.nvlinks_up.value_or(0), down = gpu.nvlinks_down.value_or(0);
  if (up + down == 0) return;
  findings.push_back(finding(down == 0, Severity::warn, "nvlink",
                             std::to_string(up) + " of " + std::to_string(up + down) + " NVLinks of all GPUs are up",
                             "Traffic between GPUs has less than its full bandwidth.",
                             "See `nvidia-smi nvlink -s` and `-e`; links that are down need service, and on "
                             "NVSwitch machines nvidia-fabricmanager has to run."));
}

void iommu(const Facts& facts, Findings& findings) {
  if (facts.gpu->nvlinks_up.value_or(0) > 0 || !facts.host.iommu_translates) return;
  findings.push_back({Severity::warn, "iommu", "the IOMMU translates addresses, and no NVLink is up",
                      "Peer traffic may be sent up to the processor and down again, or be lost.",
                      "On bare metal boot with iommu=pt, and switch ACS off on the switches above the GPUs."});
}

void acs(const Facts& facts, Findings& findings) {
  const std::vector<std::string>& bridges = facts.host.redirecting_bridges;
  if (facts.gpu->nvlinks_up.value_or(0) > 0 || bridges.empty()) return;
  std::string names = bridges.front();
  for (std::size_t i = 1; i < bridges.size(); ++i) names += ", " + bridges[i];
  findings.push_back({Severity::warn, "acs", "ACS redirects what GPUs send each other, and no NVLink is up",
                      "Peer traffic goes up to the processor and down again; of PCIe bridges: " + names + ".",
                      "On bare metal switch ACS off in the firmware, or clear those bridges' ACSCtl with setpci."});
}

// The driver takes what was built with any CUDA of its own major version or an older one.
void nccl_and_driver(const GpuFacts& gpu, Findings& findings) {
  if (!gpu.nccl_cuda) return;
  const std::string title = "NCCL is built with CUDA " + cuda_version(*gpu.nccl_cuda) + ", the driver takes CUDA " +
                            cuda_version(gpu.driver_cuda);
  findings.push_back(finding(gpu.driver_cuda / 1000 >= *gpu.nccl_cuda / 1000, Severity::error, "nccl-driver", title,
                             "Its kernels do not load: collectives end with \"unhandled cuda error\".",
                             "Install NCCL for CUDA " + std::to_string(gpu.driver_cuda / 1000) +
                                 ", or a driver that takes CUDA " + std::to_string(*gpu.nccl_cuda / 1000) + "."));
}

}  // namespace

void judge_peers(const Facts& facts, Findings& findings) {
  if (!facts.gpu || !usable_gpu(facts) || facts.gpu->device_count < 2) return;
  peer_access(*facts.gpu, findings);
  nvlink(*facts.gpu, findings);
  nccl_and_driver(*facts.gpu, findings);
  iommu(facts, findings);
  acs(facts, findings);
}

}  // namespace cupel::doctor
