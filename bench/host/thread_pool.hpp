// A few threads that stay and do one task together, again and again, with as little between the tasks as can be.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace cupel::bench::host {

class ThreadPool {
 public:
  /// `threads` in all, the caller's included: one fewer are started. They may run on any processor of
  /// harness::usable_cpus(), wherever the caller is pinned. threads >= 1, else std::invalid_argument.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls task(i) for each i < size(), each on its own thread, i = 0 on the caller's, and returns when all are done.
  /// The task must not throw. Not to be called from two threads at once.
  void run(const std::function<void(int)>& task);

 private:
  void work(int index);

  // Each on a cache line of its own: the workers watch the one and write the other.
  alignas(64) std::atomic<std::uint32_t> turn_ = 0;
  alignas(64) std::atomic<std::uint32_t> unfinished_ = 0;
  std::atomic<bool> ending_ = false;
  const std::function<void(int)>* task_ = nullptr;
  std::vector<std::jthread> workers_;
};

}  // namespace cupel::bench::host
