// Gates of small programs under noises of known shape: what they find, and what they say where nothing changed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/stats/random.hpp"

namespace cupel::simulator {

/// Noise between processes of a benchmark, of logarithms.
struct Noise {
  std::string name;
  double (*draw)(stats::Random&) = nullptr;
  /// The machine's part of each of so many starts in turn, of whichever side; none: it has none.
  std::vector<double> (*machine)(std::size_t starts, stats::Random&) = nullptr;
};

/// Normal of 1 and of 1.5 %, exponential, Student's t with 2 degrees of freedom, spikes, two levels.
std::vector<Noise> six_noises();

/// Machines with a period of two, four and eight starts, and one that drifts; 0.1 % of noise beside it.
std::vector<Noise> machines();

/// Gates of a program with nine benchmarks, the first with the noise, the others normal with 0.3 %.
struct NoiseExperiment {
  Noise noise;
  bool calibrated = false;
  double slowdown = 0;    ///< of the first benchmark, 0.05 is 5 %
  bool in_pairs = false;  ///< starts are drawn in pairs of one a side, not all among themselves as the gate does
  int gates = 400;
  std::uint64_t seed = 20261126;
  int threads = 2;
};

struct NoiseCounts {
  int found = 0;      ///< gates in which the first benchmark is called slower
  int alarms = 0;     ///< gates in which a benchmark that did not change is called slower
  int undecided = 0;  ///< gates that end with 6
  int processes = 0;  ///< of the first benchmark, both sides, all stages, all gates
};

NoiseCounts count_gates(const NoiseExperiment& experiment);

}  // namespace cupel::simulator
