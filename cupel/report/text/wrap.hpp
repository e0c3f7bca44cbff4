// Lines of text that are no wider than a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {

using units::display_width;
using units::split;

/// The whole of a text as a finite number; nothing for any other text.
std::optional<double> number_of(std::string_view text);

/// Whether each is one.
bool all_numbers(const std::vector<std::string>& texts);

/// The text in lines of at most `width` columns, broken at spaces; a longer word at a slash, else behind a colon or
/// underscore, else anywhere.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// Lines of at most so many columns, broken at spaces, the further ones indented.
std::string wrap(const std::string& line, std::size_t columns, std::size_t indent = 8);

/// The same of each line of a text that ends with a newline.
std::string wrap_lines(const std::string& text, std::size_t columns);

/// As wide as that, with spaces behind it, or before it.
std::string padded(const std::string& text, std::size_t width, bool right);

std::string without_trailing_space(std::string line);

}  // namespace cupel::report
