#include "cupel/runner/interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace cupel::runner {
namespace {

volatile std::sig_atomic_t interrupt_count = 0;

void count(int) { interrupt_count = interrupt_count + 1; }

}  // namespace

void count_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = count;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

int interrupts() { return interrupt_count; }

}  // namespace cupel::runner
