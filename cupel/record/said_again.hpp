// Everything in a result file that follows from its samples is said a second time there, for other readers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupel::record {

/// The fields that are not what the file's own samples, event pairs and workloads give, one line each with the JSON
/// pointer: "/benchmarks/3/real_time: is 1.2, its samples give 1.3"; at most `most` of them. Numbers agree to eight
/// digits. text: a valid file of ours, else throws ReadError that begins with the origin.
std::vector<std::string> contradictions(std::string_view text, const std::string& origin, std::size_t most = 20);

}  // namespace cupel::record
