// Rows whose samples are drawn: how often the comparison says that the tails inside the processes got longer.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/simulator/noises.hpp"

namespace cupel::simulator {

/// Noise of the samples inside a process: the six, and one in which 40 % of the processes have 5 % of their samples
/// three times as long.
std::vector<Noise> sample_noises();

/// Both sides' processes differ by 1 %, their samples by the noise. In the contender some take three times as long.
struct TailExperiment {
  Noise noise;
  int processes = 5;  ///< a side
  int samples = 150;  ///< of a process
  double slow = 0;    ///< share of the contender's samples
  int rows = 400;
  std::uint64_t seed = 20261128;
  int threads = 2;
};

/// Rows with the note.
int count_longer_tails(const TailExperiment& experiment);

}  // namespace cupel::simulator
