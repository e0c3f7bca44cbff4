// What standard output is written to.
#pragma once

#include <cstddef>

namespace cupel::cli {

/// Columns of the terminal; for a file or a pipe those that the variable COLUMNS names, else 80.
std::size_t output_columns();

/// Whether words may be coloured: on a terminal, unless NO_COLOR is set (no-color.org) or TERM is "dumb".
bool output_has_colour();

}  // namespace cupel::cli
