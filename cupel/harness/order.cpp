#include "cupel/harness/order.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "cupel/stats/random.hpp"

namespace cupel::harness {
namespace {

// Members of one advice and scenario form a group; a benchmark without advice is a group of its own. A benchmark with
// several tags goes with the first.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<const Definition::Point*>& points) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> group_of_advice;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i]->advice.empty()) {
      groups.push_back({i});
      continue;
    }
    const record::AdviceTag& tag = points[i]->advice.front();
    const auto [found, is_new] = group_of_advice.try_emplace({tag.id, tag.scenario}, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

}  // namespace

std::vector<std::size_t> round_order(const std::vector<const Definition::Point*>& points, std::uint64_t seed,
                                     int round) {
  std::vector<std::vector<std::size_t>> groups = groups_of(points);
  stats::Random random(seed + 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(round + 1));
  random.shuffle(std::span(groups));

  std::ranges::stable_partition(groups, [&](const auto& group) { return points[group.front()]->first; });

  std::vector<std::size_t> order;
  for (std::vector<std::size_t>& group : groups) {
    if (round % 2 == 1) std::ranges::reverse(group);
    order.insert(order.end(), group.begin(), group.end());
  }
  return order;
}

std::vector<std::size_t> given_order(const std::vector<const Definition::Point*>& points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_partition(order, [&](std::size_t i) { return points[i]->first; });
  return order;
}

}  // namespace cupel::harness
