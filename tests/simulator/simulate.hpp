// Gates on simulated suites, counted: false alarms where nothing changed, slowdowns found where something did.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/simulator/noise_model.hpp"

namespace cupel::simulator {

struct Experiment {
  Model model;
  double scale = 1;
  Design design = Design::interleaved;
  int benchmarks = 300;
  int unchanged_suites = 200;     ///< compared with themselves
  int changed_suites = 0;         ///< for each slowdown
  std::vector<double> slowdowns;  ///< 0.03 is 3 %; in each suite, one benchmark of each kind
  int calibration_runs = 10;      ///< of 5 + 5 processes
  bool peers = false;             ///< all rules, or only this gate's
  std::uint64_t seed = 20261120;
  int threads = 2;
};

struct RuleCount {
  std::string rule;
  int suites_with_alarm = 0;
  int alarms = 0;
  /// Per slowdown and kind: how many were found, of changed_suites; and of those judged gateable at 3 %.
  std::map<double, std::array<int, 4>> found, found_gateable;
};

struct Counts {
  Experiment experiment;
  std::vector<RuleCount> rules;
  std::map<double, std::array<int, 4>> gateable;  ///< how many of the slowed were judged gateable
  std::array<double, 4> gateable_share{};         ///< of all benchmarks of unchanged suites
  double suspects = 0;                            ///< of an unchanged suite, at 5 + 5
  double confirm_passes = 0;                      ///< what confirming them costs, in processes of the whole suite

  const RuleCount& rule(const std::string& name) const;
};

inline constexpr const char* kGateRule = "cupel gate: 5 + 5, confirm 12..32 by noise";

/// The same counts for the same experiment, with any number of threads.
Counts simulate(const Experiment& experiment);

/// Share found, of the kinds weighted by their mix.
double detection(const RuleCount& rule, const Counts& counts, double slowdown);
double gateable_detection(const RuleCount& rule, const Counts& counts, double slowdown);

/// A table in Markdown.
std::string table(const Counts& counts);

/// Of `comparisons` simulated ones of so many processes a side, the share whose 95 % interval holds the true ratio.
/// shape: "normal", "skewed" or "bimodal".
double coverage(const std::string& shape, int processes, int comparisons, std::uint64_t seed);

/// The same of the benchmarks of so many simulated suites of 300, all of them slowed by 2 %; per kind.
std::array<double, 4> coverage(const Model& model, int processes, int suites, std::uint64_t seed);

/// Median and ninth decile of the sd of ten process locations, over the benchmarks of a kind in so many suites of 300.
std::array<SeenSpread, 4> simulated_spread(const Model& model, int suites, std::uint64_t seed);

/// False alarms of the gate on recorded processes: each of `splits` deals the processes of one machine into two sides
/// of 5 for the screen; suspects are confirmed with processes drawn from all of them, with replacement.
struct RecordedCounts {
  int splits = 0, splits_with_alarm = 0, alarms = 0, suspects = 0;
  int found = 0;  ///< splits in which the slowed benchmark was called slower; not among the alarms
};

/// locations_us: benchmark to one location a process. slowdown: what the contender's side of one benchmark that is
/// gateable at 3 %, another one in each split, is made slower by; 0.03 is 3 %. The same counts with any number of
/// threads.
RecordedCounts split_recorded(const std::map<std::string, std::vector<double>>& locations_us, int splits,
                              double slowdown = 0, int threads = 2);

}  // namespace cupel::simulator
