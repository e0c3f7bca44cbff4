// Whether a device can be used at all, and if not, why and what to do about it.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

namespace cupel::device {

enum class Trouble { none, no_driver, driver_too_old, no_device, wrong_architecture, other };

const char* to_string(Trouble trouble);

/// The runtime's answer when it was asked for a device: ask() gathers it, judge() judges it.
struct Answer {
  cudaError_t count_error = cudaSuccess;  ///< of cudaGetDeviceCount
  int count = 0;
  int driver_cuda = 0;  ///< 1000 major + 10 minor; 0 without a driver
  int runtime_cuda = 0;
  const char* visible_devices = nullptr;   ///< CUDA_VISIBLE_DEVICES; null when not set
  cudaError_t kernel_error = cudaSuccess;  ///< of a kernel that does nothing; only asked where there is a device
  std::string device;                      ///< name
  int compute = 0;                         ///< 10 major + minor
  std::vector<int> architectures;          ///< 10 major + minor that this program has code for
};

/// Asks the runtime; creates a context on the device where there is one. Never throws.
Answer ask(int device = 0);

struct Availability {
  Trouble trouble = Trouble::none;
  std::string what;  ///< what is wrong; empty when a device can be used
  std::string cure;  ///< what to do about it
  bool ok() const { return trouble == Trouble::none; }
  /// Both in one line; empty when a device can be used.
  std::string text() const { return ok() ? std::string() : what + ": " + cure; }
};

Availability judge(const Answer& answer);

/// judge(ask(device)).
Availability availability(int device = 0);

}  // namespace cupel::device
