#include "bench/memory/two_kinds.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>

namespace cupel::bench::memory {
namespace {

// How many of the sorted values are on the lower side.
std::size_t parting(std::span<const double> sorted) {
  const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  double lower = 0, best = -1;
  std::size_t place = 0;
  for (std::size_t n = 1; n < sorted.size(); ++n) {
    lower += sorted[n - 1];
    const auto below = static_cast<double>(n), above = static_cast<double>(sorted.size() - n);
    const double apart = lower / below - (total - lower) / above;
    const double between = below * above * apart * apart;
    if (between <= best) continue;
    best = between;
    place = n;
  }
  return place;
}

double at(std::span<const double> sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}

}  // namespace

std::optional<double> border_of_two_kinds(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::span<const double> sorted(values);
  const std::size_t parted = parting(sorted);
  if (4 * std::min(parted, sorted.size() - parted) < sorted.size() || parted == 0) return std::nullopt;

  const auto lower = sorted.first(parted), upper = sorted.subspan(parted);
  const double gap = at(upper, 0.05) - at(lower, 0.95), way = at(upper, 0.5) - at(lower, 0.5);
  if (way <= 0 || gap < way / 3) return std::nullopt;
  return (lower.back() + upper.front()) / 2;
}

}  // namespace cupel::bench::memory
