#include "cupel/stats/multiplicity.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

namespace cupel::stats {
namespace {

// Indices of p, smallest p first.
std::vector<std::size_t> ascending_order(std::span<const double> p) {
  if (std::ranges::any_of(p, [](double x) { return !(x >= 0 && x <= 1); })) {
    throw std::invalid_argument("stats: a p value lies in [0, 1]");
  }
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [p](std::size_t i, std::size_t j) { return p[i] < p[j]; });
  return order;
}

}  // namespace

std::vector<double> holm(std::span<const double> p) {
  const std::vector<std::size_t> order = ascending_order(p);
  std::vector<double> adjusted(p.size());
  double greatest = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto left = static_cast<double>(order.size() - k);
    greatest = std::max(greatest, std::min(1.0, left * p[order[k]]));
    adjusted[order[k]] = greatest;
  }
  return adjusted;
}

}  // namespace cupel::stats
