// The limits of this device that a benchmark's figures are shares of: each is set where it is known.
#pragma once

#include <cstdint>
#include <string>

#include "cupel/device/peaks.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::timing {

/// Sets the PCIe link's peak rate as the limit. directions: 1, or 2 for copies both ways at once (twice the rate).
/// Sets none where the link is not known.
void set_link_limit(int directions = 1);

/// Sets the peak rate of device memory as the limit of work that goes repeatedly through arrays of `array_bytes` in
/// all. Returns false and sets none if they are less than four times the L2 cache, or the peak is not known. If true,
/// measure work that writes back to back: a single call ends before the cache has written its result to memory.
bool set_memory_limit(std::int64_t array_bytes);

/// Sets the peak rate of device memory as the limit of calls that each start with a cold cache. Returns false and sets
/// none if the call moves less than the L2 cache holds, or writes less than that but more than 2 % of what it moves, or
/// the peak is not known.
bool set_memory_limit(const record::Workload& cold_call);

/// Sets arithmetic or device memory as the limit, whichever takes longer for the work at its peak. Sets none where
/// neither peak is known.
void set_roof_limit(device::Arithmetic arithmetic, const record::Workload& work);

/// Throws cuda::NotSupported where this device cannot compute in `precision`, whose arithmetic it is.
void require_arithmetic(const std::string& precision, device::Arithmetic arithmetic);

/// Sets the counter arithmetic_intensity, in flop/byte: the greater of flops and items, divided by bytes. Precondition:
/// work.bytes() > 0.
void count_intensity(const record::Workload& work);

}  // namespace cupel::timing
