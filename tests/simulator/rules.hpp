// The rules by which tools decide that a benchmark got slower, each written anew from its documentation or source.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/stats/random.hpp"
#include "tests/simulator/noise_model.hpp"

namespace cupel::simulator {

/// What one rule says of each benchmark of a suite: slower.
struct Ruling {
  std::string rule;
  std::vector<bool> slower;
};

/// Rules that look at one process a side, 9 repetitions of 30 samples each: github-action-benchmark, Google Benchmark's
/// compare.py, asv, nvbench_compare and its robust successor, criterion.rs, and Conbench, which looks back at the means
/// of 20 earlier days. clock: logarithm of the slowness of each side's clock.
std::vector<Ruling> single_process_rules(const SimulatedSuite::OneProcess& one,
                                         const std::vector<std::vector<double>>& earlier_days, double clock_scale);

/// Rules over locations of so many processes a side, in one stage. margins: of a benchmark, what its sessions were seen
/// to move by.
std::vector<Ruling> process_rules(std::span<const Locations> locations, std::span<const double> margins,
                                  stats::Random& random);

}  // namespace cupel::simulator
