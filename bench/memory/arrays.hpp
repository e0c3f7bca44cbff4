// Device memory that the bandwidth benchmarks of the process share, and whether what they wrote is right.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "bench/memory/all_elements.hpp"

namespace cupel::bench::memory {

enum class Slot { first, second, third };

/// At least `bytes` of device memory, its content left by whoever had it before. Valid until more is asked for of the
/// same slot. Throws OutOfMemory.
float* device_memory(Slot slot, std::int64_t bytes);

/// Input i of a slot: random, in [-1, 1).
float input_at(Slot slot, std::int64_t i);

/// Fills `count` elements with input_at(). Blocks.
void fill_inputs(Slot slot, std::int64_t count);

/// The seed that a slot's inputs are drawn from, for RightElements.
std::uint64_t seed_of(Slot slot);

/// Throws CheckFailed unless each out[i] equals expected(i), in runs of elements spread over all of the array, 64 runs
/// of 1024 with the ends; and each of all elements, on the device, what `right` says. Blocks.
void require_elements(const float* out, std::int64_t count, const std::function<float(std::int64_t)>& expected,
                      const RightElements& right, const std::string& what);

constexpr std::int64_t floats(std::int64_t bytes) { return bytes / static_cast<std::int64_t>(sizeof(float)); }

}  // namespace cupel::bench::memory
