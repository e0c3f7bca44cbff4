#include "bench/host/thread_pool.hpp"

#include <pthread.h>

#include <stdexcept>
#include <string>

#include "cupel/harness/cpus.hpp"

namespace cupel::bench::host {
namespace {

// Looks before a thread sleeps: about 10 us, longer than the pause between two samples and shorter than a time slice.
constexpr int kLooks = 4000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Returns the value once it is not `old`: watches for a while, as waking costs more than a small copy, then sleeps.
std::uint32_t wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int look = 0; look < kLooks; ++look) {
    const std::uint32_t now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    pause();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (threads < 1) throw std::invalid_argument("ThreadPool: " + std::to_string(threads) + " threads");
  for (int index = 1; index < threads; ++index) {
    workers_.emplace_back([this, index] { work(index); });
  }
}

ThreadPool::~ThreadPool() {
  ending_ = true;
  turn_.fetch_add(1, std::memory_order_release);
  turn_.notify_all();
}

void ThreadPool::run(const std::function<void(int)>& task) {
  const auto helpers = static_cast<std::uint32_t>(workers_.size());
  if (helpers > 0) {
    task_ = &task;
    unfinished_.store(helpers, std::memory_order_relaxed);
    turn_.fetch_add(1, std::memory_order_release);
    turn_.notify_all();
  }
  task(0);
  for (std::uint32_t left = unfinished_.load(std::memory_order_acquire); left != 0;)
    left = wait_while(unfinished_, left);
}

void ThreadPool::work(int index) {
  // A new thread inherits its maker's pinning, which would put all of them on one processor.
  pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), &harness::usable_cpus());
  for (std::uint32_t turn = 0;;) {
    turn = wait_while(turn_, turn);
    if (ending_) return;
    (*task_)(index);
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
  }
}

}  // namespace cupel::bench::host
