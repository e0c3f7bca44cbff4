#include "cupel/runner/start_order.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace cupel::runner {

std::vector<bool> drawn_order(std::vector<int> counts, stats::Random& random) {
  std::ranges::sort(counts);
  std::vector<bool> order;
  int drawn = 0;
  for (const int count : counts) {
    const auto more = static_cast<std::size_t>(count - std::exchange(drawn, count));
    std::vector<char> is_contender(2 * more, 0);
    std::fill_n(is_contender.begin(), more, 1);
    random.shuffle(std::span(is_contender));
    order.insert(order.end(), is_contender.begin(), is_contender.end());
  }
  return order;
}

}  // namespace cupel::runner
