// The facts that `cupel doctor` judges: plain data. The GPU's facts are found by cupel-probe, a program of the GPU
// side, and travel as JSON; the host's are read by the doctor itself, so that it has something to say on any machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/host/host_info.hpp"
#include "cupel/record/context.hpp"

namespace cupel::doctor {

/// Beyond what record::DeviceInfo holds. Absent: not readable, or no usable device.
struct GpuFacts {
  std::string trouble = "none";  ///< "no_driver", "driver_too_old", "no_device", "wrong_architecture", "other"
  std::string what, cure;        ///< of the trouble
  int device = 0;                ///< its number, as CUDA counts them
  int device_count = 0;
  int driver_cuda = 0;  ///< 1000 major + 10 minor; 0 without a driver
  int runtime_cuda = 0;
  std::string nvml_trouble;        ///< why NVML cannot be read; empty when it can
  int code_architecture = 0;       ///< of the machine code that runs, 10 major + minor
  bool code_jit = false;           ///< the driver compiled it at start
  std::vector<int> architectures;  ///< compiled for, 10 major + minor
  std::string compute_mode;        ///< "default", "exclusive_process", "prohibited"
  std::optional<int> foreign_processes;
  std::optional<int> peer_pairs;                ///< of visible GPUs: each may access the other's memory
  std::optional<int> nvlinks_up, nvlinks_down;  ///< of all visible GPUs
  std::optional<int> nccl_cuda;                 ///< what NCCL was built with, 1000 major + 10 minor
  std::string pinned_trouble;  ///< why 64 MiB of page-locked memory could not be had; empty when they could

  // While copies and arithmetic run: idle clocks and an idle link say nothing.
  std::optional<double> busy_sm_clock_hz;
  std::optional<double> busy_memory_clock_hz;
  std::optional<double> busy_temperature_c;
  std::optional<double> busy_power_w;
  std::optional<int> busy_pcie_generation, busy_pcie_width;
  std::vector<std::string> busy_throttle_reasons;  ///< as in record::Telemetry
};

struct Facts {
  record::Context context;  ///< device and libraries from the probe; build
  host::HostFacts host;
  std::optional<GpuFacts> gpu;  ///< absent: nothing could be asked; probe_trouble says why
  std::string probe_trouble;    ///< one line
};

}  // namespace cupel::doctor
