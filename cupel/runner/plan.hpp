// What a run is going to do, before it does it: which benchmarks, how often, how long, with how much memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupel/runner/families.hpp"
#include "cupel/runner/select.hpp"
#include "cupel/runner/settings.hpp"

namespace cupel::runner {

struct PlannedFamily {
  std::string name;
  std::filesystem::path executable;
  std::vector<record::ListedBenchmark> benchmarks;  ///< never empty
  std::optional<double> max_wall_s = std::nullopt;  ///< as its listing has it

  bool needs_device() const;          ///< at least one benchmark does
  double process_s() const;           ///< expected time of one process, its start included
  std::int64_t device_bytes() const;  ///< most that one benchmark wants
  std::int64_t host_bytes() const;    ///< likewise
};

struct Plan {
  Settings settings;
  Selection selection;
  std::vector<PlannedFamily> families;                        ///< those that need a device first
  std::vector<std::pair<std::string, std::string>> problems;  ///< family and why it cannot run
  std::vector<std::string> cuts;                              ///< what was cut to meet a budget, one line each

  double expected_s() const;
  std::size_t benchmarks() const;
};

/// Time from starting an executable to its first benchmark: on a GPU the context, libraries and calibration.
inline constexpr double kDeviceStart_s = 1.0;
inline constexpr double kHostStart_s = 0.05;

double expected_s(const record::ListedBenchmark& benchmark);

/// Lists the families and selects. `families` that selection.families does not name are left alone. The plan holds no
/// family when nothing matches. Throws std::invalid_argument on a bad filter.
Plan make_plan(std::vector<Family>& families, const Settings& settings, const Selection& selection);

/// Cuts the plan down to `budget_s`: first the time given to each benchmark, to no less than a quarter; then processes,
/// to no fewer than one. What was cut is in Plan::cuts; a plan that still does not fit says so there, last.
Plan fit_budget(std::vector<Family>& families, const Plan& plan, double budget_s);

}  // namespace cupel::runner
