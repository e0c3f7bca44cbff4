// Facts of imagined machines, for tests.
#pragma once

#include "cupel/doctor/facts.hpp"

namespace cupel::doctor::fixtures {

/// An H200 server on which everything is in order.
inline Facts server_in_order() {
  Facts facts;
  facts.context.build.type = "Release";
  record::DeviceInfo device;
  device.name = "NVIDIA H200";
  device.uuid = "GPU-5f1c2b7e-0001-0203-0405-06070809aaff";
  device.pci_id = "00000000:3B:00.0";
  device.compute_major = 9;
  device.sm_count = 132;
  device.sm_clock_max_hz = 1980e6;
  device.memory_clock_max_hz = 3201e6;
  device.memory_bytes = 150'000'000'000;
  device.memory_bus_bits = 6144;
  device.driver_version = "580.159.04";
  device.driver_cuda = 13000;
  device.pcie_generation = 1;  // idle
  device.pcie_generation_max = 5;
  device.pcie_width = device.pcie_width_max = 16;
  device.ecc = device.persistence = true;
  device.mig = false;
  device.power_limit_w = device.power_limit_default_w = 700;
  device.numa_node = 1;
  facts.context.device = device;
  facts.context.libraries = {{"cudart", "13.0", "13.0"},
                             {"cublas", "13.1.0", "13.1.0"},
                             {"cudnn", "9.12.0", "9.13.1"},
                             {"nccl", "2.27.7", "2.27.7"}};

  GpuFacts gpu;
  gpu.device_count = 8;
  gpu.driver_cuda = gpu.runtime_cuda = 13000;
  gpu.code_architecture = 90;
  gpu.architectures = {90};
  gpu.compute_mode = "default";
  gpu.foreign_processes = 0;
  gpu.busy_sm_clock_hz = 1965e6;
  gpu.busy_memory_clock_hz = 3201e6;
  gpu.busy_power_w = 210;
  gpu.busy_temperature_c = 38;
  gpu.busy_pcie_generation = 5;
  gpu.busy_pcie_width = 16;
  facts.gpu = gpu;

  facts.host.info = {.cpu = "Intel(R) Xeon(R) Platinum 8480C",
                     .logical_cpus = 8,
                     .usable_cpus = 2,
                     .numa_nodes = 2,
                     .memory_bytes = std::int64_t{2} << 40,
                     .os = "Debian GNU/Linux 12 (bookworm)",
                     .kernel = "6.1.0",
                     .governor = "performance"};
  facts.host.node_cpus = {{0, {0, 1, 2, 3}}, {1, {4, 5, 6, 7}}};
  facts.host.allowed_cpus = {4, 5};
  return facts;
}

/// The same machine after a host-only build.
inline Facts host_only() {
  Facts facts = server_in_order();
  facts.gpu.reset();
  facts.context.device.reset();
  facts.context.libraries.clear();
  facts.probe_trouble = "the GPU side is not built";
  return facts;
}

/// The GPU side is built, the driver is too old.
inline Facts old_driver() {
  Facts facts = server_in_order();
  facts.context.device.reset();
  facts.gpu = GpuFacts{};
  facts.gpu->trouble = "driver_too_old";
  facts.gpu->what = "the NVIDIA driver is too old (it takes CUDA 12.4, this program is built with 13.0)";
  facts.gpu->cure = "update the driver (580 or newer, for CUDA 13.0)";
  facts.gpu->driver_cuda = 12040;
  facts.gpu->runtime_cuda = 13000;
  return facts;
}

}  // namespace cupel::doctor::fixtures
