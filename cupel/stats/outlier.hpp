// Values that lie apart: counted, never removed.
#pragma once

#include <span>
#include <vector>

namespace cupel::stats {

/// Share of the sample more than 3 inter-quartile ranges outside its quartiles: Tukey's outer fences ("far out"). One
/// in 400,000 values of a normal distribution. 0 for an empty sample. Source: Tukey (1977), "Exploratory Data
/// Analysis", section 2C.
double far_out_share(std::span<const double> sample);

/// Distance of each value from the median in robust standard deviations (1.4826 times the median absolute deviation).
/// Where more than half the values are equal the deviation is 0: the equal ones get 0, the others infinity.
/// Throws std::invalid_argument if the sample is empty. Source: Iglewicz and Hoaglin (1993).
std::vector<double> robust_z(std::span<const double> sample);

}  // namespace cupel::stats
