// The stages of a gate over executables: screen, replacement of the processes that were left out, confirmation, rerun.
// The caller hands in the function that measures, so that `cupel gate` and the simulator that counts its rates run the
// same stages.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "cupel/figures/suite.hpp"
#include "cupel/gate/gate.hpp"

namespace cupel::gate {

/// Benchmark to processes a side.
using Wanted = std::map<std::string, int>;

/// The results of one stage as suites, both sides.
struct StageSuites {
  figures::Suite base, contender;
  bool interrupted = false;
};

/// The stages ask this of their surroundings.
struct Surroundings {
  /// Measures these in fresh processes, both sides interleaved. Stages are "screen", "confirm", "rerun", "whole". A
  /// stage that is asked for again has processes to add: the suites are of all that the stage measured.
  std::function<StageSuites(const Wanted& wanted, const std::string& stage)> measure;
  /// The same, and as many processes of all other benchmarks of their programs.
  std::function<Wanted(const Wanted& wanted)> in_whole_processes = [](const Wanted& wanted) { return wanted; };
  /// Seconds that measuring these would take; nothing before anything was measured.
  std::function<std::optional<double>(const Wanted& wanted)> expected_s = [](const Wanted&) { return std::nullopt; };
  /// Seconds since the gate began.
  std::function<double()> elapsed_s = [] { return 0.0; };
  /// One line for whoever waits.
  std::function<void(const std::string& line)> say = [](const std::string&) {};
};

struct StageSettings {
  Wanted all;                      ///< what the screen measures
  bool until_decided = false;      ///< the rerun takes all that is undecided, however many processes that needs
  std::optional<double> budget_s;  ///< of the whole gate: bounds all but the screen
};

/// Seconds for the rerun of what is undecided and gateable, where no budget was given: as long again as the gate has
/// taken, and at least half a minute.
double usual_rerun_s(double elapsed_s);

/// Seconds that all stages take at most: every benchmark a suspect that takes kAffordable processes, each process left
/// out and measured anew, and a rerun as long as it may be. Nothing where that has no bound: until all is decided,
/// without a budget.
std::optional<double> most_s(const StageSettings& settings, const Surroundings& surroundings);

/// Runs the stages of `gate`, which has seen nothing yet. Ends early where the gate refuses to compare, or where
/// measuring was interrupted: the gate is told.
void run_stages(Gate& gate, const StageSettings& settings, const Surroundings& surroundings);

/// Measures a stage and, once, as many processes more as were left out: on both sides, so that the rule is the same for
/// both. What is left out then stays so. has_time: whether there is time for those.
StageSuites measure_stage(
    const Wanted& wanted, const std::string& stage, const Surroundings& surroundings,
    const std::function<bool(const Wanted& again)>& has_time = [](const Wanted&) { return true; });

}  // namespace cupel::gate
