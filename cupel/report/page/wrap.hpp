// Text as cells of a table want it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::report {

using units::display_width;
using units::split;
using units::without_trailing_space;
using units::wrap;
using units::wrap_lines;

/// The text in lines of at most `width` columns, broken as units::wrap() does, none indented.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// As wide as that, with spaces behind it, or before it.
std::string padded(const std::string& text, std::size_t width, bool right);

}  // namespace cupel::report
