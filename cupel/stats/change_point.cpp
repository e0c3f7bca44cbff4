#include "cupel/stats/change_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "cupel/stats/effect.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::stats {
namespace {

// Sum of distances from the median of values that come one by one. Any number between the middle two is a median, so
// that a new value adds its distance from these two.
class MedianDistance {
 public:
  void add(double x) {
    if (!ascending_.empty()) {
      const double low = ascending_[(ascending_.size() - 1) / 2], high = ascending_[ascending_.size() / 2];
      sum_ += std::max({0.0, low - x, x - high});
    }
    ascending_.insert(std::ranges::upper_bound(ascending_, x), x);
  }

  double sum() const { return sum_; }

 private:
  std::vector<double> ascending_;
  double sum_ = 0;
};

// Noise of single values, from the distances of neighbours; their mean where most are equal.
double noise(std::span<const double> in_order) {
  std::vector<double> distances;
  for (std::size_t i = 1; i < in_order.size(); ++i) distances.push_back(std::abs(in_order[i] - in_order[i - 1]));
  const double typical = median(distances);
  return kNormalMad / std::numbers::sqrt2 * (typical > 0 ? typical : mean(distances));
}

// Starts of the segments of the best segmentation, the first (0) left out.
std::vector<std::size_t> best_segmentation(std::span<const double> in_order, double penalty, std::size_t least) {
  const std::size_t n = in_order.size();
  std::vector<double> cost(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> start(n + 1, 0);
  cost[0] = 0;
  for (std::size_t end = least; end <= n; ++end) {
    MedianDistance distance;
    for (std::size_t begin = end; begin > 0; --begin) {
      distance.add(in_order[begin - 1]);
      if (end - begin + 1 < least) continue;
      const double candidate = cost[begin - 1] + penalty + distance.sum();
      if (candidate < cost[end]) {
        cost[end] = candidate;
        start[end] = begin - 1;
      }
    }
  }
  std::vector<std::size_t> starts;
  for (std::size_t end = start[n]; end > 0; end = start[end]) starts.push_back(end);
  std::ranges::reverse(starts);
  return starts;
}

// The change at starts[i], judged by the segments next to it.
ChangePoint judged(std::span<const double> in_order, const std::vector<std::size_t>& starts, std::size_t i) {
  const std::size_t begin = i == 0 ? 0 : starts[i - 1];
  const std::size_t end = i + 1 == starts.size() ? in_order.size() : starts[i + 1];
  const auto before = in_order.subspan(begin, starts[i] - begin);
  const auto after = in_order.subspan(starts[i], end - starts[i]);
  return {starts[i], hodges_lehmann(before, after).estimate, mann_whitney(before, after).p_two_sided};
}

bool accepted(const ChangePoint& change, const ChangeRule& rule) {
  return change.p_two_sided < rule.alpha && std::abs(change.shift) >= rule.smallest_shift;
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> in_order, const ChangeRule& rule) {
  const std::size_t least = std::max<std::size_t>(1, rule.least_points);
  if (in_order.size() < 2 * least) return {};
  const double sigma = noise(in_order);
  if (sigma == 0) return {};
  const double log_count = std::log(static_cast<double>(in_order.size()));
  const double penalty = 3 * log_count * sigma * std::sqrt(2 * std::numbers::pi) / 4;
  std::vector<std::size_t> starts = best_segmentation(in_order, penalty, least);
  while (true) {
    std::vector<ChangePoint> changes;
    for (std::size_t i = 0; i < starts.size(); ++i) changes.push_back(judged(in_order, starts, i));
    const auto weakest = [](const ChangePoint& a, const ChangePoint& b) {
      return std::abs(a.shift) < std::abs(b.shift);
    };
    const auto refused_end = std::stable_partition(changes.begin(), changes.end(),
                                                   [&rule](const ChangePoint& c) { return !accepted(c, rule); });
    if (refused_end == changes.begin()) return changes;
    std::erase(starts, std::min_element(changes.begin(), refused_end, weakest)->index);
  }
}

}  // namespace cupel::stats
