#include "cupel/stats/outlier.hpp"

#include <cmath>
#include <limits>

#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::stats {

std::vector<double> robust_z(std::span<const double> sample) {
  const double centre = median(sample);
  const double deviation = kNormalMad * median_absolute_deviation(sample);
  std::vector<double> z;
  z.reserve(sample.size());
  for (const double x : sample) {
    const double distance = x - centre;
    // Without a deviation, any distance is infinitely many of them.
    z.push_back(distance == 0   ? 0
                : deviation > 0 ? distance / deviation
                                : std::copysign(std::numeric_limits<double>::infinity(), distance));
  }
  return z;
}

}  // namespace cupel::stats
