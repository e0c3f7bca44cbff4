#include "cupel/host/interrupt.hpp"

namespace cupel::host {
namespace {

volatile std::sig_atomic_t interrupt_count = 0;

void count(int) { interrupt_count = interrupt_count + 1; }

}  // namespace

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

InterruptCount::InterruptCount() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = count;
    sigemptyset(&action.sa_mask);
    sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptCount::~InterruptCount() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

int interrupts() { return interrupt_count; }

}  // namespace cupel::host
