// The benchmarks that foretelling a training step looks at, chosen among those of this build.
#pragma once

#include <filesystem>
#include <vector>

#include "cupel/runner/plan.hpp"

namespace cupel::cli {

/// As many as fit into `budget_s` of one process, those that say most of the step first. `settings` are those of the
/// run. Throws files::ReadError, and UsageError where no benchmark says anything.
runner::Selection chosen_for_step(const std::filesystem::path& profile, std::vector<runner::Family> families,
                                  const runner::Settings& settings, double budget_s);

}  // namespace cupel::cli
