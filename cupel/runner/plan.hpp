// The plan of a run, before it measures anything: which benchmarks, how often, how long, with how much memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/runner/families.hpp"
#include "cupel/runner/select.hpp"
#include "cupel/runner/settings.hpp"
#include "cupel/units/time_need.hpp"

namespace cupel::runner {

struct PlannedFamily {
  std::string name;
  std::filesystem::path executable;
  std::vector<record::ListedBenchmark> benchmarks;  ///< never empty
  std::optional<double> max_wall_s = std::nullopt;  ///< as its listing has it

  bool needs_device() const;     ///< at least one benchmark does
  units::TimeNeed need() const;  ///< of one process, as expected, its start included
  double process_s() const { return need().at(1); }
  std::int64_t device_bytes() const;  ///< most that one benchmark wants
  std::int64_t host_bytes() const;    ///< likewise
};

struct Plan {
  Settings settings;
  Selection selection;
  std::vector<PlannedFamily> families;                        ///< those that need a device first
  std::vector<std::pair<std::string, std::string>> problems;  ///< family and why it cannot run
  std::vector<std::string> cuts;                              ///< what was cut to meet a budget, one line each
  int most_processes = 0;                                     ///< that were asked for, before a budget cut them

  double least_s() const;  ///< what one process of each family takes with the fewest samples
  std::size_t benchmarks() const;
};

/// Time from starting an executable to its first benchmark: on a GPU the context, libraries and calibration.
inline constexpr double kDeviceStart_s = 1.0;
inline constexpr double kHostStart_s = 0.05;

/// Without times that make no sense.
units::TimeNeed need(const record::ListedBenchmark& benchmark);
inline double expected_s(const record::ListedBenchmark& benchmark) { return need(benchmark).at(1); }

/// Lists the families and selects. `families` that selection.families does not name are left alone. The plan holds no
/// family when nothing matches. Throws std::invalid_argument on a bad filter.
Plan make_plan(std::vector<Family>& families, const Settings& settings, const Selection& selection);

/// The share of its sampling that a benchmark keeps before a budget takes processes away: what differs between
/// processes cannot be had back by more samples in one.
inline constexpr double kLeastShare = 0.25;

/// Cuts the plan down to `budget_s`: first sampling, to no less than kLeastShare; then processes, to no fewer than one;
/// then sampling down to the fewest samples, which is Plan::least_s(). What was cut is in Plan::cuts.
Plan fit_budget(Plan plan, double budget_s);

}  // namespace cupel::runner
