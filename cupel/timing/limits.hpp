// The limits of this device that a benchmark's figures are shares of: each is set where it is known.
#pragma once

#include <cstdint>
#include <string>

#include "cupel/device/peaks.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::timing {

/// Sets the PCIe link's peak rate as the limit. directions: 1, or 2 for copies both ways at once (twice the rate).
void set_link_limit(int directions = 1);

/// Sets the peak rate of device memory as the limit, for work that goes again and again through `array_bytes`; false,
/// and no limit, where the L2 cache may hold a good part of them. Where it is true, work that writes is to be measured
/// back to back: by itself it would end before the cache has handed on what it wrote.
bool set_memory_limit(std::int64_t array_bytes);

/// Sets the peak rate of device memory as the limit of calls that each start with a cold cache; false as above.
bool set_memory_limit(const record::Workload& cold_call);

/// Sets arithmetic or device memory as the limit, whichever takes longer for the work at its peak.
void set_roof_limit(device::Arithmetic arithmetic, const record::Workload& work);

/// Throws cuda::NotSupported where this device cannot compute in `precision`, whose arithmetic it is.
void require_arithmetic(const std::string& precision, device::Arithmetic arithmetic);

/// Keeps operations by bytes as the counter arithmetic_intensity.
void count_intensity(const record::Workload& work);

}  // namespace cupel::timing
