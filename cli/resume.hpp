// The request to a run, together with that to an earlier, interrupted run of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cupel/record/forward.hpp"
#include "cupel/runner/plan.hpp"

namespace cupel::cli {

/// The command line's word on how to measure; absent: not said.
struct Asked {
  std::optional<std::string> profile, timer;
  std::optional<int> processes;
  std::optional<std::uint64_t> seed;
  runner::Settings settings;  ///< all other settings
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
