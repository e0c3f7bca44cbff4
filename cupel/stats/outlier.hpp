// Values that lie apart: found, never removed.
#pragma once

#include <span>
#include <vector>

namespace cupel::stats {

/// Distance of each value from the median in robust standard deviations (1.4826 times the median absolute deviation).
/// Where more than half the values are equal the deviation is 0: the equal ones get 0, the others infinity.
/// Throws std::invalid_argument if the sample is empty. Source: Iglewicz and Hoaglin (1993).
std::vector<double> robust_z(std::span<const double> sample);

}  // namespace cupel::stats
