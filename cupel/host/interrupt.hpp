// Ctrl-C and its kin while something is measured: the first asks for an orderly end, the second for an immediate one.
// At all other times they end the program as they end any other.
#pragma once

#include <array>
#include <csignal>

namespace cupel::host {

/// A closed pipe, or a file over its limit, is from now on an error of the write instead of a death.
void ignore_write_signals();

/// As long as it lives SIGINT, SIGTERM and SIGHUP are counted instead of ending the process. Those that were ignored,
/// as under nohup, stay ignored. One at a time.
class InterruptCount {
 public:
  InterruptCount();
  ~InterruptCount();
  InterruptCount(const InterruptCount&) = delete;
  InterruptCount& operator=(const InterruptCount&) = delete;

 private:
  static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

/// How many have come.
int interrupts();

}  // namespace cupel::host
