// The device this process measures: the one that --cupel_device chose, else CUDA device 0.
#pragma once

#include <optional>

#include "cupel/record/machine.hpp"

namespace cupel::timing {

/// Returns the device, read once a process. Throws CudaError when there is none.
const record::DeviceInfo& this_device();

/// Returns the most that the board of the current device declares its SM clock to be, in Hz; nothing without NVML.
std::optional<double> declared_clock_hz();

/// Returns the power, in watts, that the board draws now; nothing where it cannot be read.
std::optional<double> power_w();

/// Returns the energy, in joules, that the board has taken since the driver was loaded; nothing where it cannot be
/// read.
std::optional<double> energy_j();

}  // namespace cupel::timing
