// The request to a run, together with that to an earlier, interrupted run of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cupel/record/forward.hpp"
#include "cupel/runner/plan.hpp"

namespace cupel::runner {

/// How a run is to measure; absent: not said.
struct Asked {
  std::optional<std::string> profile, timer;
  std::optional<int> processes;
  std::optional<std::uint64_t> seed;
  Settings settings;  ///< all other settings
  Selection selection;
};

struct Begun {
  Settings settings;
  Selection selection;
};

/// Without an earlier run: what was asked, with defaults. With one: what that was asked; throws std::invalid_argument
/// that names the setting and both values when this one is asked otherwise. The device may be asked for anew, as its
/// UUID tells whether it is the same, and so may be where programs are and how long they may take.
Begun begun_run(const Asked& asked, const std::optional<record::ResultSet>& earlier);

}  // namespace cupel::runner
