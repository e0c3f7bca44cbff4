#include "bench/transfer/companion.hpp"

#include <utility>

namespace cupel::bench::transfer {

Companion::Companion(std::function<void()> job) : job_(std::move(job)), thread_([this] { serve(); }) {}

Companion::~Companion() {
  phase_.wait(Phase::busy);
  move_to(Phase::end);
  thread_.join();
}

void Companion::start() { move_to(Phase::busy); }

void Companion::finish() {
  phase_.wait(Phase::busy);
  move_to(Phase::idle);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Companion::move_to(Phase next) {
  phase_ = next;
  phase_.notify_all();
}

void Companion::serve() {
  for (;;) {
    Phase phase = phase_;
    if (phase == Phase::end) return;
    if (phase != Phase::busy) {
      phase_.wait(phase);
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
