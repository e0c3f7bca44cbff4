// A uniform number at a place, the same on host and device.
#pragma once

#include <cmath>
#include <cstdint>

#include "cupel/verify/generator.hpp"
#include "cupel/verify/host_device.hpp"

namespace cupel::kernels {

/// low + width * random.uniform_float(i); fmaf, so that host and device round alike, whatever either compiler
/// contracts.
CUPEL_HOST_DEVICE inline float uniform(const verify::Generator& random, std::int64_t i, float low, float width) {
  return fmaf(width, random.uniform_float(static_cast<std::uint64_t>(i)), low);
}

}  // namespace cupel::kernels
