#include "cupel/stats/null_distribution.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

namespace cupel::stats {
namespace {

// Makes each distribution once. Distributions are never thrown away: there are few sizes in a run.
template <typename Key, typename Make>
std::shared_ptr<const NullDistribution> kept(const Key& key, const Make& make) {
  static std::mutex mutex;
  static std::map<Key, std::shared_ptr<const NullDistribution>> all;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const NullDistribution>& entry = all[key];
  if (!entry) entry = std::make_shared<const NullDistribution>(make());
  return entry;
}

// ways[parts * (n m + 1) + u]: partitions of u into exactly `parts` parts, none above m.
std::vector<double> partitions(std::size_t n, std::size_t m) {
  const std::size_t values = n * m + 1;
  std::vector<double> ways((n + 1) * values, 0.0);
  ways[0] = 1;
  for (std::size_t part = 1; part <= m; ++part) {
    for (std::size_t parts = 1; parts <= n; ++parts) {
      const double* fewer = &ways[(parts - 1) * values];
      double* these = &ways[parts * values];
      // Ascending parts: one size may be used again and again.
      for (std::size_t u = part; u <= parts * part; ++u) these[u] += fewer[u - part];
    }
  }
  std::vector<double> total(values, 0.0);
  for (std::size_t parts = 0; parts <= n; ++parts) {
    for (std::size_t u = 0; u < values; ++u) total[u] += ways[parts * values + u];
  }
  return total;
}

std::vector<double> subset_sums(std::size_t n) {
  std::vector<double> ways(n * (n + 1) / 2 + 1, 0.0);
  ways[0] = 1;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    for (std::size_t sum = ways.size() - 1; sum >= rank; --sum) ways[sum] += ways[sum - rank];
  }
  return ways;
}

}  // namespace

NullDistribution::NullDistribution(std::vector<double> weights) : at_most_(std::move(weights)), at_least_(at_most_) {
  const double total = std::accumulate(at_most_.begin(), at_most_.end(), 0.0);
  std::partial_sum(at_most_.begin(), at_most_.end(), at_most_.begin());
  std::partial_sum(at_least_.rbegin(), at_least_.rend(), at_least_.rbegin());
  const auto share = [total](double weight) { return std::min(1.0, weight / total); };
  std::transform(at_most_.begin(), at_most_.end(), at_most_.begin(), share);
  std::transform(at_least_.begin(), at_least_.end(), at_least_.begin(), share);
}

double NullDistribution::at_most(std::ptrdiff_t v) const {
  if (v < 0) return 0;
  return at_most_[std::min(static_cast<std::size_t>(v), greatest())];
}

double NullDistribution::at_least(std::ptrdiff_t v) const {
  if (v > static_cast<std::ptrdiff_t>(greatest())) return 0;
  return at_least_[static_cast<std::size_t>(std::max<std::ptrdiff_t>(v, 0))];
}

std::shared_ptr<const NullDistribution> rank_sum_null(std::size_t n, std::size_t m) {
  const std::pair key = std::minmax({n, m});
  return kept(key, [&key] { return NullDistribution(partitions(key.first, key.second)); });
}

std::shared_ptr<const NullDistribution> signed_rank_null(std::size_t n) {
  return kept(n, [n] { return NullDistribution(subset_sums(n)); });
}

NullDistribution sign_null(std::size_t n) {
  // Weights relative to the middle one, which neither overflow nor all vanish however large n is.
  std::vector<double> weights(n + 1, 0.0);
  const std::size_t middle = n / 2;
  weights[middle] = 1;
  for (std::size_t k = middle; k > 0; --k) {
    weights[k - 1] = weights[k] * static_cast<double>(k) / static_cast<double>(n - k + 1);
  }
  for (std::size_t k = middle; k < n; ++k) {
    weights[k + 1] = weights[k] * static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  return NullDistribution(std::move(weights));
}

}  // namespace cupel::stats
