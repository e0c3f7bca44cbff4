// Which of a machine's GPUs is meant.
#pragma once

#include <string>
#include <vector>

namespace cupel::device {

struct VisibleDevice {
  std::string name;  ///< "NVIDIA H200"
  std::string uuid;  ///< "GPU-5f1c2b7e-..."
};

/// The number of the device that is asked for, of `devices`, which are in CUDA's order: by its number ("1"), or by the
/// beginning of its UUID ("GPU-5f1c", of an instance under MIG also "MIG-5f1c"), in any case of the letters; "" is the
/// first one. Throws std::invalid_argument with all that there are when it is none of them, or more than one.
int chosen_device(const std::string& asked, const std::vector<VisibleDevice>& devices);

/// "GPU 0 of 4: NVIDIA H200 (GPU-5f1c2b7e-...)"
std::string device_text(int device, const std::vector<VisibleDevice>& devices);

}  // namespace cupel::device
