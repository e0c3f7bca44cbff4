// Text and numbers as they stand in the page: escaped, and the same in any locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/units/format.hpp"

namespace cupel::report::html {

using units::counted;

/// A sentence of ours is never cut: one that names five benchmarks of others is shorter.
constexpr std::size_t kSentence = 2000;

/// Escapes what others wrote, for element text and quoted attributes; at most `longest` code points of it.
std::string safe(std::string_view raw, std::size_t longest = 200);

/// The same, with leave to break a line inside a long name, "gemm/square/n:8192", behind a slash or a colon, and of
/// code before an argument; not between digits, nor behind the hyphen or the underscore of a part that has room in one
/// line.
std::string breakable(std::string_view raw, std::size_t longest = 200);

/// The same as safe() of each line, as a sentence, with line ends between them that stand in attributes and text as
/// they are.
std::string safe_lines(const std::vector<std::string>& lines);

/// A coordinate: at most two decimals, no trailing zeros. Not finite: "0".
std::string coordinate(double value);

/// "1.5" of "1.50".
std::string without_trailing_zeros(std::string digits);

/// A value for a script to read: shortest digits that read back as the same double.
std::string plain(double value);

/// Lower-case letters, digits and hyphens of a text, at most 40: for ids, which a number must make unique.
std::string slug(std::string_view raw);

/// The label of a tick: "20 GB/s", "0.5 us". No digits that say nothing.
std::string tick_text(double value, units::Unit unit);

}  // namespace cupel::report::html
