#include "cupel/stats/precision.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "cupel/stats/distribution.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> winsorised_at_quartiles(std::span<const double> sample) {
  const std::vector<double> ascending = sorted(sample);
  const double low = quantile_of_sorted(ascending, 0.25);
  const double high = quantile_of_sorted(ascending, 0.75);
  std::vector<double> values(sample.begin(), sample.end());
  for (double& x : values) x = std::clamp(x, low, high);
  return values;
}

std::array<double, kBatches> batch_means(std::span<const double> values) {
  std::array<double, kBatches> means{};
  for (std::size_t i = 0; i < kBatches; ++i) {
    const std::size_t begin = i * values.size() / kBatches;
    const std::size_t end = (i + 1) * values.size() / kBatches;
    means[i] = mean(values.subspan(begin, end - begin));
  }
  return means;
}

}  // namespace

Precision interquartile_mean_precision(std::span<const double> in_order, double level) {
  Precision result{interquartile_mean(in_order), kInfinity};
  if (in_order.size() < kBatches) return result;
  constexpr double kKept = 0.5;  // the share of the sample that the inter-quartile mean averages
  const double spread = standard_deviation(batch_means(winsorised_at_quartiles(in_order)));
  const double t = student_quantile(0.5 + 0.5 * level, kBatches - 1);
  result.half_width = t * spread / (kKept * std::sqrt(static_cast<double>(kBatches)));
  return result;
}

}  // namespace cupel::stats
