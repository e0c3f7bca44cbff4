#include "cupel/device/availability.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

#include "cupel/device/look_kernels.hpp"
#include "cupel/units/format.hpp"

namespace cupel::device {
namespace {

using units::cuda_version;

/// The oldest driver branch of a CUDA major, from the release notes' table of minor version compatibility.
std::string driver_for(int runtime_cuda) { return runtime_cuda / 1000 == 13 ? "580" : ""; }

std::string driver_wanted(const Answer& a) {
  const std::string branch = driver_for(a.runtime_cuda);
  const std::string cuda = "CUDA " + cuda_version(a.runtime_cuda);
  return branch.empty() ? "one for " + cuda : branch + " or newer, for " + cuda;
}

std::string list(const std::vector<int>& architectures) {
  std::string text;
  for (const int compute : architectures) {
    text += (text.empty() ? "" : ", ") + std::to_string(compute / 10) + "." + std::to_string(compute % 10);
  }
  return text;
}

Availability no_driver(const Answer& a) {
  return {Trouble::no_driver, "no NVIDIA driver",
          "install one (" + driver_wanted(a) +
              "); in a container, start it with the NVIDIA container toolkit (docker run --gpus all)"};
}

Availability driver_too_old(const Answer& a) {
  return {Trouble::driver_too_old,
          "the NVIDIA driver is too old (it takes CUDA " + cuda_version(a.driver_cuda) +
              ", this program is built with " + cuda_version(a.runtime_cuda) + ")",
          "update the driver (" + driver_wanted(a) + ")"};
}

Availability no_device(const Answer& a) {
  if (a.visible_devices != nullptr) {
    return {Trouble::no_device,
            "no GPU is visible (CUDA_VISIBLE_DEVICES is \"" + std::string(a.visible_devices) + "\")",
            "unset it, or name a device that `nvidia-smi -L` lists"};
  }
  return {Trouble::no_device, "no GPU (the driver is there but finds no device)",
          "see whether `nvidia-smi -L` lists one; in a container, pass it in (docker run --gpus all)"};
}

Availability wrong_architecture(const Answer& a) {
  const std::string compute = std::to_string(a.compute / 10) + "." + std::to_string(a.compute % 10);
  return {Trouble::wrong_architecture,
          "no code for this GPU (" + a.device + " has compute capability " + compute + ", this program has code for " +
              list(a.architectures) + ")",
          "build with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(a.compute)};
}

/// Errors that have a cause of their own, and its cure.
std::string_view cure(cudaError_t error) {
  switch (error) {
    case cudaErrorSystemDriverMismatch:
      return "kernel module and user library of the driver differ: reboot, or reload the module, after an update";
    case cudaErrorSystemNotReady:
      return "the system is not ready: on NVSwitch machines, start nvidia-fabricmanager";
    case cudaErrorDevicesUnavailable:
      return "the device is busy or in exclusive or prohibited compute mode: end the other process, or "
             "`nvidia-smi -c DEFAULT`";
    case cudaErrorCompatNotSupportedOnDevice:
      return "the CUDA forward-compatibility package does not support this GPU: remove it from the library path or "
             "update the driver";
    case cudaErrorMemoryAllocation:
      return "not even a context fits into device memory: end the process that holds it (see `nvidia-smi`)";
    default:
      return "see `nvidia-smi` and `dmesg | grep -i -e nvrm -e xid`";
  }
}

Availability other(cudaError_t error) {
  return {Trouble::other,
          "the GPU cannot be used (" + std::string(cudaGetErrorName(error)) + ", " + cudaGetErrorString(error) + ")",
          std::string(cure(error))};
}

}  // namespace

const char* to_string(Trouble trouble) {
  constexpr std::array kNames{"none", "no_driver", "driver_too_old", "no_device", "wrong_architecture", "other"};
  return kNames[static_cast<std::size_t>(trouble)];
}

Answer ask(int device) {
  Answer a;
  a.architectures = embedded_architectures();
  a.visible_devices = std::getenv("CUDA_VISIBLE_DEVICES");
  cudaRuntimeGetVersion(&a.runtime_cuda);
  if (cudaDriverGetVersion(&a.driver_cuda) != cudaSuccess) a.driver_cuda = 0;
  a.count_error = cudaGetDeviceCount(&a.count);
  if (a.count_error == cudaSuccess && device < a.count) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, device) == cudaSuccess) {
      a.device = properties.name;
      a.compute = 10 * properties.major + properties.minor;
    }
    a.kernel_error = cudaSetDevice(device);
    if (a.kernel_error == cudaSuccess) a.kernel_error = launch_empty(nullptr);
    if (a.kernel_error == cudaSuccess) a.kernel_error = cudaDeviceSynchronize();
  }
  cudaGetLastError();  // what was asked here must not surface in the caller's next check
  return a;
}

Availability judge(const Answer& a) {
  // Without a driver the runtime says "insufficient driver" too (35) and gives the driver's version as 0.
  if (a.count_error == cudaErrorInsufficientDriver) return a.driver_cuda == 0 ? no_driver(a) : driver_too_old(a);
  if (a.count_error == cudaErrorNoDevice) return no_device(a);
  if (a.count_error == cudaErrorStubLibrary) return no_driver(a);
  if (a.count_error != cudaSuccess) return other(a.count_error);
  if (a.count == 0) return no_device(a);
  if (a.kernel_error == cudaErrorNoKernelImageForDevice || a.kernel_error == cudaErrorInvalidDeviceFunction) {
    return wrong_architecture(a);
  }
  // PTX newer than the driver's compiler: same cause and cure as a driver that is too old.
  if (a.kernel_error == cudaErrorUnsupportedPtxVersion || a.kernel_error == cudaErrorInsufficientDriver) {
    return driver_too_old(a);
  }
  if (a.kernel_error != cudaSuccess) return other(a.kernel_error);
  return {};
}

Availability availability(int device) { return judge(ask(device)); }

}  // namespace cupel::device
