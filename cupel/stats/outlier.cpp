#include "cupel/stats/outlier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::stats {

double far_out_share(std::span<const double> sample) {
  if (sample.empty()) return 0;
  const std::vector<double> ascending = sorted(sample);
  const double first = quantile_of_sorted(ascending, 0.25);
  const double third = quantile_of_sorted(ascending, 0.75);
  const double reach = 3 * (third - first);
  const auto far = std::count_if(ascending.begin(), ascending.end(),
                                 [=](double x) { return x < first - reach || x > third + reach; });
  return static_cast<double>(far) / static_cast<double>(ascending.size());
}

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
