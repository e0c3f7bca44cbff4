// The limits of this device that a benchmark's figures are held against: each is set where it is known.
#pragma once

#include <cstdint>
#include <string>

#include "cupel/device/peaks.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::timing {

/// Sets the link between host and device as the limit, `directions` times: both at once have twice the rate of one.
void hold_against_link(int directions = 1);

/// Sets the peak rate of device memory as the limit, for work that goes again and again through `array_bytes`; false,
/// and no limit, where the L2 cache may hold a good part of them. Where it is true, work that writes is to be measured
/// back to back: by itself it would end before the cache has handed on what it wrote.
bool hold_against_memory(std::int64_t array_bytes);

/// Sets it for calls that begin with a cold cache each.
bool hold_against_memory(const record::Workload& cold_call);

/// Sets arithmetic or device memory as the limit, whichever takes longer for the work at its peak.
void hold_against_roof(device::Arithmetic arithmetic, const record::Workload& work);

/// Throws cuda::NotSupported where this device cannot compute in `precision`, whose arithmetic it is.
void require_arithmetic(const std::string& precision, device::Arithmetic arithmetic);

/// Keeps operations by bytes as the counter arithmetic_intensity.
void count_intensity(const record::Workload& work);

}  // namespace cupel::timing
