// Starts a process for each rank, and sees to it that none is left.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/collective/rendezvous.hpp"

namespace cupel::bench::collective {

struct RankProgram {
  std::string program;
  std::vector<std::string> arguments = {};
  /// Set in its environment; an empty value takes the variable out.
  std::map<std::string, std::string> environment = {};
};

/// Runs them all to their ends, one process each. Where one ends badly, or limit_s have passed, all that still run are
/// killed, with what they started and what NCCL has for them in /dev/shm, and CollectiveFailed is thrown, which says of
/// which rank and why: what it told the rendezvous (CollectiveCannotRun where that is that it cannot run here), its
/// exit code or its signal. Ranks are killed, too, when the calling thread's process dies. No process is left when this
/// returns or throws.
void run_ranks(const std::vector<RankProgram>& ranks, const Rendezvous& rendezvous, double limit_s);

}  // namespace cupel::bench::collective
