// Verdicts in colour, on a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// In the badge's colour; one that is quiet has none.
std::string in_colour(std::string_view words, Badge badge);

/// A part of a line: words that have a badge, or what stands between those.
struct VerdictPart {
  std::string_view words;
  std::optional<Badge> badge;
};

/// The words that have a badge, wherever they stand by themselves: of "pays at some, costs elsewhere" "pays at some"
/// and "costs", of "autotune-cost" none. Where one begins another, the longer counts. The line must outlive them.
std::vector<VerdictPart> verdict_parts(std::string_view line, const Badges& badges);

/// A line in which they are coloured.
std::string with_verdicts(std::string_view line, const Badges& badges);

/// Wrapping a text must not part the words of a verdict, which is coloured line by line. Before it is wrapped in that
/// width: with other characters for the spaces inside verdicts that have room in a line. Afterwards: with the spaces.
std::string with_kept_verdicts(std::string_view text, const Badges& badges, std::size_t width);
std::string without_kept_verdicts(std::string text);

}  // namespace cupel::report
