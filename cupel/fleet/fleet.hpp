// Machines of one model side by side: which of them is not like the others.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/figures/suite.hpp"

namespace cupel::fleet {

/// Both must be exceeded: z alone flags a machine of a very even fleet for nothing, the effect alone the noisiest.
struct FleetRule {
  double z = 4;            ///< distance from the median in robust standard deviations of the machines
  double effect = 0.03;    ///< ratio less one, in either direction
  std::size_t fewest = 3;  ///< machines with a figure; of fewer none can be told apart
};

/// One machine's figure for a family, or for one benchmark.
struct FleetFigure {
  std::string name;         ///< of the family or the benchmark
  std::size_t machine = 0;  ///< index into the suites
  double ratio = 1;         ///< its time against the fleet's median; above 1 is slower
  double z = 0;             ///< infinite where more than half of the machines agree to the last digit
  int benchmarks = 1;
  bool outlier = false;
  std::optional<record::Mode> mode;  ///< of the times of a benchmark, the same on every machine; none of a family
};

/// Machines of one model: the same GPU, SMs and memory; of hosts, the same CPU.
struct Fleet {
  std::string model;
  std::vector<std::size_t> machines;    ///< indices into the suites
  std::vector<FleetFigure> families;    ///< every family on every machine that has it
  std::vector<FleetFigure> benchmarks;  ///< outliers only, the largest effect first
  std::vector<int> failed;              ///< benchmarks that failed, for each machine
};

/// A machine's family figure is the geometric mean, over the family's benchmarks, of its time against the machines'
/// median time. Benchmarks that failed, were throttled away or are on fewer machines than the rule asks do not enter.
std::vector<Fleet> fleets(std::span<const figures::Suite> suites, const FleetRule& rule = {});

}  // namespace cupel::fleet
