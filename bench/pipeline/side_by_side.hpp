// Work shared out to threads that live for one call: for work that lasts a thousand times longer than starting them.
#pragma once

#include <thread>
#include <vector>

namespace cupel::bench::pipeline {

/// Calls work(t) for each t < threads, each on its own thread, and returns when all are done. Must not throw.
template <class Work>
void side_by_side(int threads, const Work& work) {
  std::vector<std::jthread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back([&work, t] { work(t); });
  work(0);
}

}  // namespace cupel::bench::pipeline
