// Histories of unchanged code and of code that became slower, under noises of sessions of known shape: what the shipped
// rule says of the newest commit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulator/noises.hpp"

namespace cupel::simulator {

/// Noise between sessions, of logarithms: normal, exponential, Student's t with 2 degrees of freedom, spikes, two
/// levels.
std::vector<Noise> session_noises();

/// The newest commit, measured in one session, against the commit before it. Each commit has one session of five
/// processes. Where the rule asks for more sessions of the newest commit it gets them, once.
struct HistoryExperiment {
  Noise noise;
  std::size_t sessions = 20;  ///< up to the newest, which is one of them
  double slowdown = 0;        ///< of the first of ten benchmarks in the newest commit
  int histories = 400;
  std::uint64_t seed = 20261127;
  int threads = 2;
};

struct HistoryCounts {
  int at_once = 0;    ///< histories with a benchmark SLOWER by the first session of the newest commit
  int slower = 0;     ///< the same, or with the sessions that the rule asked for
  int undecided = 0;  ///< with one INCONCLUSIVE by the first session, and none SLOWER
  int asked = 0;      ///< sessions that the rule asked for, of all histories
};

/// Where the first benchmark became slower, it alone counts.
HistoryCounts count_histories(const HistoryExperiment& experiment);

}  // namespace cupel::simulator
