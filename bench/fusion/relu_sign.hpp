// Whether ReLU's input may have been 0 or more where its stored output is 0: plain functions, the same on host and
// device.
#pragma once

#include <cmath>

#include "cupel/verify/dot_bound.hpp"
#include "cupel/verify/host_device.hpp"

namespace cupel::bench::fusion {

/// Says of an input that is scale * sum + bias, exactly, whether its error reaches 0, where a gradient may be passed on
/// or not. cuBLASLt's mask lets it pass at 0. magnitude: the sum of the products' magnitudes; smallest: what storing
/// rounds to 0. The error is twice that of the sum, as in all that is held on the device, and two roundings in fp32.
CUPEL_HOST_DEVICE inline bool may_be_zero(const verify::DotBound& bound, double scale, double sum, double magnitude,
                                          double bias, double smallest) {
  const double scaled = scale * sum;
  const double error = 2 * scale * (bound.of_magnitude * magnitude + bound.of_value * std::fabs(sum)) +
                       2 * 0x1p-24 * (std::fabs(scaled) + std::fabs(bias)) + smallest;
  return std::fabs(scaled + bias) <= error;
}

}  // namespace cupel::bench::fusion
