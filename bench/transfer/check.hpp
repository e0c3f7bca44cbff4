// Whether what was copied arrived. Every word is compared, on the device, where it takes milliseconds for a gibibyte.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/transfer/pattern.hpp"

namespace cupel::bench::transfer {

/// A pattern that no call before has given: memory that was not written since cannot hold it.
kernels::transfer::Pattern fresh_pattern();

/// Fills device memory. Blocks.
void fill_device(std::uint32_t* data, std::int64_t bytes, const kernels::transfer::Pattern& pattern);

/// Overwrites device memory with what is no pattern's, so that a copy that never happened is seen. Blocks.
void poison_device(std::uint32_t* data, std::int64_t bytes);

/// Throws CheckFailed, which says how many words differ, unless device memory holds the pattern. Blocks.
void require_on_device(const std::uint32_t* data, std::int64_t bytes, const kernels::transfer::Pattern& pattern,
                       const std::string& what);

/// The same for host memory of any kind, which is copied to the device for it: overwrites device_memory(destination).
void require_on_host(const std::uint32_t* data, std::int64_t bytes, const kernels::transfer::Pattern& pattern,
                     const std::string& what);

}  // namespace cupel::bench::transfer
