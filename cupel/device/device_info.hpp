// The device as the record describes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/device/choice.hpp"
#include "cupel/device/nvml.hpp"
#include "cupel/record/forward.hpp"

namespace cupel::device {

/// PCI id as NVML writes it, "00000000:3B:00.0", whatever the width of the domain and the case; unchanged when it is
/// none.
std::string full_pci_id(std::string_view pci_id);

/// "GPU-5f1c2b7e-..." of the 16 bytes that the runtime gives.
std::string uuid_text(const unsigned char (&bytes)[16]);

/// The version in /proc/driver/nvidia/version, for where NVML cannot be read; empty when there is none.
std::string kernel_module_version(std::string_view proc_text);

/// The devices that CUDA_VISIBLE_DEVICES leaves, in CUDA's order; makes no context. Empty without a driver or a device.
std::vector<VisibleDevice> visible_devices();

/// Reads a device through the runtime, and the rest through NVML where it is there. Throws CudaError when there is no
/// such device. monitor: of the same device; null leaves what only NVML knows absent.
record::DeviceInfo read_device_info(int device, const nvml::Device* monitor);

/// NVML's view of a CUDA device, matched by PCI id or UUID; nullopt with the reason where NVML is not there.
/// Throws CudaError when there is no such CUDA device.
std::optional<nvml::Device> open_monitor(int device, std::string& why_not);

}  // namespace cupel::device
