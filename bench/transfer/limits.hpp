// The limits that this family's figures are held against, read from the device.
#pragma once

#include <cstdint>

namespace cupel::bench::transfer {

/// The link between host and device, `directions` times: both at once have twice the rate of one.
void hold_against_link(int directions = 1);

/// The peak rate of device memory, for work that goes once through `array_bytes`; false, and no limit, where the L2
/// cache may hold a good part of them. Where it is true, work that writes is to be measured back to back: by itself it
/// would end before the cache has handed on what it wrote.
bool hold_against_memory(std::int64_t array_bytes);

}  // namespace cupel::bench::transfer
