// Work that is counted in the same order, whatever thread did it.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace cupel::simulator {

/// work(i) for each i below count.
template <typename Work>
void in_parallel(int count, int threads, Work work) {
  std::atomic<int> next{0};
  const auto take = [&] {
    for (int i = next++; i < count; i = next++) work(static_cast<std::size_t>(i));
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(take);
  take();
}

}  // namespace cupel::simulator
