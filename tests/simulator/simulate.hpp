// The gate on simulated suites, counted: false alarms where nothing changed, slowdowns found where something did.
#pragma once

#include <array>
#include <cstdint>

#include "tests/simulator/noise_model.hpp"

namespace cupel::simulator {

inline constexpr double kTarget = 0.03;  ///< the slowdown that a gateable benchmark is found with

struct Experiment {
  Model model;
  int benchmarks = 300;
  int unchanged_suites = 0;  ///< compared with themselves
  int changed_suites = 0;    ///< in each, one benchmark of each kind is slower by kTarget
  std::uint64_t seed = 20261120;
  int threads = 2;
};

struct Counts {
  int suites_with_alarm = 0;
  std::array<double, 4> gateable_share{};  ///< of all benchmarks of unchanged suites, per kind
  std::array<int, 4> gateable{}, found{};  ///< of the slowed, per kind: judged gateable at kTarget; and found, of those

  bool operator==(const Counts&) const = default;
};

/// The same counts for the same experiment, with any number of threads.
Counts simulate(const Experiment& experiment);

/// Share of the gateable slowdowns that was found, of the kinds weighted by their mix.
double detection(const Model& model, const Counts& counts);

/// The share of benchmarks whose 95 % interval holds the true ratio, in so many simulated suites of 300, all slowed by
/// 2 %; per kind.
std::array<double, 4> coverage(const Model& model, int processes, int suites, std::uint64_t seed);

/// Median and ninth decile of the sd of ten process locations, over the benchmarks of a kind in so many suites of 300.
std::array<SeenSpread, 4> simulated_spread(const Model& model, int suites, std::uint64_t seed);

}  // namespace cupel::simulator
