// Kernels for looking at a device rather than for measuring it, and what they tell about the code in this program.
#pragma once

#include <cuda_runtime.h>

#include <vector>

namespace cupel::device {

/// Launches a kernel that does nothing. Fails with cudaErrorNoKernelImageForDevice when this program has no code for
/// the device.
cudaError_t launch_empty(cudaStream_t stream);

/// Keeps every SM at work for `time_ns` of the device's clock, so that clocks and the PCIe link leave their idle state.
/// blocks: one an SM is enough.
cudaError_t launch_busy(int blocks, unsigned long long time_ns, cudaStream_t stream);

/// Architectures that this program was compiled for, 10 major + minor, ascending.
std::vector<int> embedded_architectures();

/// The code that the runtime chose for the present device.
struct LoadedCode {
  int binary = 0;    ///< architecture of the machine code, 10 major + minor
  bool jit = false;  ///< the driver compiled it from PTX at start
};

/// Sets `code`; any error of the runtime is returned.
cudaError_t loaded_code(LoadedCode& code);

/// Machine code for `binary` is embedded only where `binary` was compiled for; else the driver made it.
bool is_jit(int binary, const std::vector<int>& architectures);

}  // namespace cupel::device
