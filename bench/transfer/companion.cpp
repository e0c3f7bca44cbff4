#include "bench/transfer/companion.hpp"

#include <chrono>
#include <utility>

namespace cupel::bench::transfer {

Companion::Companion(std::function<void()> job) : job_(std::move(job)), thread_([this] { serve(); }) {}

Companion::~Companion() {
  wait_while(Phase::busy);
  move_to(Phase::end);
  thread_.join();
}

void Companion::start() { move_to(Phase::busy); }

void Companion::finish() {
  wait_while(Phase::busy);
  move_to(Phase::idle);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Companion::move_to(Phase next) {
  phase_ = next;
  phase_.notify_all();
}

// Looks for a while before it sleeps: to be woken takes tens of microseconds, many times what a small copy does, and
// what is timed is the copies.
void Companion::wait_while(Phase phase) {
  constexpr std::chrono::milliseconds kLooking{2};
  constexpr int kLooksPerClock = 256;
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int look = 0; look < kLooksPerClock; ++look) {
      if (phase_ != phase) return;
    }
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() - start < kLooking);
  phase_.wait(phase);
}

void Companion::serve() {
  for (;;) {
    Phase phase = phase_;
    if (phase == Phase::end) return;
    if (phase != Phase::busy) {
      wait_while(phase);
      continue;
    }
    try {
      job_();
    } catch (...) {
      error_ = std::current_exception();
    }
    move_to(Phase::done);
  }
}

}  // namespace cupel::bench::transfer
