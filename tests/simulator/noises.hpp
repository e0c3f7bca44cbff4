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
};

/// Normal of 1 and of 1.5 %, exponential, Student's t with 2 degrees of freedom, spikes, two levels.
std::vector<Noise> six_noises();

/// Gates of a program with nine benchmarks, the first with the noise, the others normal with 0.3 %.
struct NoiseExperiment {
  Noise noise;
  bool calibrated = false;
  double slowdown = 0;  ///< of the first benchmark, 0.05 is 5 %
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
