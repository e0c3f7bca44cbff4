#include "cupel/stats/interval.hpp"

#include <cstddef>
#include <stdexcept>

#include "cupel/stats/quantile.hpp"

namespace cupel::stats {

OrderRank order_rank(std::size_t size, const NullDistribution& null, double level) {
  if (!(level > 0 && level < 1)) throw std::invalid_argument("stats: the level of an interval lies between 0 and 1");
  const auto level_of = [&null](std::size_t k) { return 1 - 2 * null.at_most(static_cast<std::ptrdiff_t>(k) - 1); };
  std::size_t k = 1;
  while (2 * (k + 1) <= size + 1 && level_of(k + 1) >= level) ++k;
  return {k, level_of(k)};
}

Interval order_interval(std::span<const double> ascending, const NullDistribution& null, double level) {
  const OrderRank rank = order_rank(ascending.size(), null, level);
  return {ascending[rank.k - 1], ascending[ascending.size() - rank.k], rank.level};
}

Interval median_interval(std::span<const double> sample, double level) {
  if (sample.empty()) throw std::invalid_argument("stats: interval of the median of an empty sample");
  return order_interval(sorted(sample), sign_null(sample.size()), level);
}

}  // namespace cupel::stats
