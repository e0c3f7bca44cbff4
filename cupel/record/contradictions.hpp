// Compares the computed fields of a result file, which are there for other readers, with what its samples give.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/record/forward.hpp"

namespace cupel::record {

/// Returns the fields that are not what the file's own samples, event pairs and workloads give, one line each with the
/// JSON pointer: "/benchmarks/3/real_time: is 1.2, its samples give 1.3"; at most `most` of them. Numbers agree to
/// eight digits. text: a file of ours. results: what from_json() read of it.
std::vector<std::string> contradictions(std::string_view text, const ResultSet& results, std::size_t most = 20);

}  // namespace cupel::record
