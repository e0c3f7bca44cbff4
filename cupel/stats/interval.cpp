#include "cupel/stats/interval.hpp"

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "cupel/stats/null_distribution.hpp"
#include "cupel/stats/order_interval.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::stats {

Interval median_interval(std::span<const double> sample, double level) {
  if (sample.empty()) throw std::invalid_argument("stats: interval of the median of an empty sample");
  return order_interval(sorted(sample), sign_null(sample.size()), level);
}

}  // namespace cupel::stats
