#include "bench/sync/answerer.hpp"

#include <sys/prctl.h>

#include <cerrno>
#include <ctime>

namespace cupel::bench::sync {
namespace {

constexpr std::int64_t kNothing = 0;
constexpr std::int64_t kEnd = -1;
constexpr std::int64_t kSecond_ns = 1'000'000'000;

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond_ns + now.tv_nsec;
}

}  // namespace

Answerer::Answerer(Passes passes, Learns learns)
    : passes_(passes), learns_(learns), at_ns_(kNothing), thread_([this] { serve(); }) {}

Answerer::~Answerer() {
  at_ns_ = kEnd;
  thread_.join();
}

void Answerer::ask(std::chrono::nanoseconds after) {
  ++asked_;
  at_ns_ = now_ns() + after.count();
}

void Answerer::wait() {
  if (learns_ == Learns::spinning) {
    while (answered_ != asked_) {
    }
    return;
  }
  std::unique_lock lock(mutex_);
  told_.wait(lock, [this] { return answered_ == asked_; });
}

void Answerer::serve() {
  prctl(PR_SET_TIMERSLACK, 1);  // ns; else the kernel may be 50 us late, to serve other timers with this one
  for (;;) {
    const std::int64_t at_ns = at_ns_;
    if (at_ns == kEnd) return;
    if (at_ns == kNothing) {  // looks for the question instead of sleeping: to be asked is in the time
      std::this_thread::yield();
      continue;
    }
    pass_until(at_ns);
    std::int64_t served = at_ns;
    at_ns_.compare_exchange_strong(served, kNothing);  // before the answer, after which the next question may come
    answer();
  }
}

void Answerer::pass_until(std::int64_t at_ns) const {
  if (passes_ == Passes::asleep) {
    const timespec at{at_ns / kSecond_ns, at_ns % kSecond_ns};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) == EINTR) {
    }
  }
  while (now_ns() < at_ns) {
  }
}

void Answerer::answer() {
  if (learns_ == Learns::spinning) {
    ++answered_;
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    ++answered_;
  }
  told_.notify_one();
}

}  // namespace cupel::bench::sync
