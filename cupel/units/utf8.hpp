// UTF-8: what is well-formed of it, how wide it is, and characters of it in other words.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace cupel::units {

/// Bytes of the well-formed character that text begins with, as RFC 3629 has it: no overlong form, no surrogate,
/// nothing above U+10FFFF. 0 if there is none.
std::size_t character_length(std::string_view text);

/// Each byte that is not part of a well-formed character becomes U+FFFD.
std::string to_utf8(std::string_view text);

/// Shows what a terminal would obey or hide: control characters (ANSI escapes, newlines, tabs, C1), characters that
/// reorder or hide text (bidirectional controls, zero-width, separators of lines) and bytes that are not UTF-8 become
/// \n, \x1b, \u{202e}.
std::string visible(std::string_view text);

/// The same, line by line: newlines stay.
std::string visible_lines(std::string_view text);

/// Columns that a terminal needs for UTF-8 text, one for each code point, none for the codes of in_colour().
std::size_t display_width(std::string_view text);

/// Bytes of as many whole code points of UTF-8 text as stand in so many columns.
std::size_t bytes_of_columns(std::string_view text, std::size_t columns);

/// At most `longest` code points of the text as visible() shows it; what was cut is said: "abc... (1048576
/// bytes)".
std::string shorten(std::string_view text, std::size_t longest = 120);

using Replacement = std::pair<char, std::string_view>;

/// Writes each of these characters as its replacement, and all others as they are.
std::string replaced(std::string_view text, std::initializer_list<Replacement> replacements);

}  // namespace cupel::units
