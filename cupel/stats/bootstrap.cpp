#include "cupel/stats/bootstrap.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "cupel/stats/distribution.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/stats/random.hpp"

namespace cupel::stats {
namespace {

double resampled_mean(std::span<const double> sample, Random& random) {
  double sum = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) sum += sample[random.below(sample.size())];
  return sum / static_cast<double>(sample.size());
}

// The tail at which a normal percentile interval of a bootstrap mean, whose spread is short by sqrt((n - 1) / n), is as
// wide as Student's.
double expanded_tail(std::size_t n, double level) {
  const auto count = static_cast<double>(n);
  return normal_cdf(-std::sqrt(count / (count - 1)) * student_quantile(0.5 + 0.5 * level, count - 1));
}

}  // namespace

GeometricMean bootstrap_geometric_mean(std::span<const double> ratios, double level, int resamples,
                                       std::uint64_t seed) {
  if (resamples < 1) throw std::invalid_argument("stats: a bootstrap takes at least one resample");
  const std::vector<double> logs = logarithms(ratios);
  const double value = std::exp(mean(logs));
  if (logs.size() == 1) return {value, {value, value, 0}};
  Random random(seed);
  std::vector<double> means(static_cast<std::size_t>(resamples));
  for (double& m : means) m = resampled_mean(logs, random);
  const std::vector<double> ascending = sorted(means);
  const double tail = expanded_tail(logs.size(), level);
  return {value,
          {std::exp(quantile_of_sorted(ascending, tail)), std::exp(quantile_of_sorted(ascending, 1 - tail)), level}};
}

}  // namespace cupel::stats
