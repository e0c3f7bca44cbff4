// Verdicts in colour, on a terminal.
#pragma once

#include <string>
#include <string_view>

#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// In the badge's colour; one that is quiet has none.
std::string in_colour(std::string_view words, Badge badge);

/// A line, in which the words that have a badge are coloured wherever they stand by themselves: of "pays at some, costs
/// elsewhere" the words "pays at some" and "costs", of "autotune-cost" none. Where one begins another, the longer
/// counts.
std::string with_verdicts(std::string_view line, const Badges& badges);

}  // namespace cupel::report
