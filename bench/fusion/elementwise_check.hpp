// Whether all that an element-wise operation made is right.
#pragma once

#include <cstdint>
#include <string>

#include "bench/fusion/all_elements.hpp"
#include "bench/fusion/arrays.hpp"

namespace cupel::bench::fusion {

/// Throws CheckFailed unless each of the `count` elements of `out` is within the tolerance of what it has to be by its
/// inputs, which are read from the device. Waits.
void require_all(const Elementwise& right, kernels::DType type, const void* out, std::int64_t count,
                 const Tolerance& tolerance, const std::string& what);

}  // namespace cupel::bench::fusion
