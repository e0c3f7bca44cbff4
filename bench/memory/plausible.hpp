// The check of a largest block on a device that other processes use, too. Host code only.
#pragma once

#include <cstdint>

namespace cupel::bench::memory {

/// Throws CheckFailed where a block is larger than all that is free; Skip instead where other processes gave memory of
/// the device back meanwhile, which the block may lie in. before, after: free on the device when the benchmark had
/// taken nothing yet, and when it had given all of it back.
void require_plausible(std::int64_t largest, std::int64_t free, std::int64_t before, std::int64_t after);

}  // namespace cupel::bench::memory
