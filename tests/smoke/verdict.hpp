// What a smoke run's result file says about the family.
#pragma once

#include <string>
#include <vector>

#include "cupel/record/record.hpp"

namespace cupel::smoke {

/// One line for each thing that is wrong; empty when all is well. Every name of `asked` must be there once, run with
/// its check passed, or skipped with a reason. A family of which nothing was run is wrong.
std::vector<std::string> complaints(const record::ResultSet& result, const std::vector<std::string>& asked);

/// One line for each benchmark that was run and has no sample, or one that is no time.
std::vector<std::string> without_times(const record::ResultSet& result);

/// One line for each benchmark that was skipped, with its reason.
std::vector<std::string> skipped(const record::ResultSet& result);

}  // namespace cupel::smoke
