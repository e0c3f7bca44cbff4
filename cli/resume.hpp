// What a run is asked to do, together with what an earlier, interrupted run of it had been asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cupel/record/record.hpp"
#include "cupel/runner/plan.hpp"

namespace cupel::cli {

/// The command line's word on how to measure; absent: not said.
struct Asked {
  std::optional<std::string> profile;
  std::optional<int> processes;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> timer;
  std::optional<std::string> device;
  std::optional<int> rounds;
  std::optional<double> noise_goal, max_wall_s;
  bool allow_managed = false;
  bool allow_multicast = false;
  bool sustained = false;
  bool zeros = false;
  std::optional<std::string> data;
  std::optional<std::uint64_t> data_bytes;
  bool clean_data = false;
  runner::Selection selection;
};

struct Begun {
  runner::Settings settings;
  runner::Selection selection;
};

/// Without an earlier run: what was asked, with defaults. With one: what that was asked; throws UsageError that names
/// the setting and both values when the command line says otherwise.
Begun begun_run(const Asked& asked, const std::optional<record::ResultSet>& earlier);

}  // namespace cupel::cli
