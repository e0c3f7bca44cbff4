// Lines of text that are no wider than a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cupel::units {

/// Lines of at most so many columns, broken at spaces, the further ones indented; a longer word is broken at a slash,
/// else behind a colon or underscore, else anywhere.
std::string wrap(const std::string& line, std::size_t columns, std::size_t indent = 8);

/// The same of each line of a text that ends with a newline.
std::string wrap_lines(const std::string& text, std::size_t columns);

std::string without_trailing_space(std::string line);

/// The text in lines of at most `width` columns, broken as wrap() does, none indented.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// As wide as that, with spaces behind it, or before it.
std::string padded(const std::string& text, std::size_t width, bool right);

}  // namespace cupel::units
