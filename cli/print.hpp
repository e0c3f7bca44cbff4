// The output of the subcommands, and what standard output is. Whoever was to read it may be gone; see
// cupel/runner/print.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace cupel::cli {

/// On stdout: what was asked for.
void print(std::string_view text);

/// On stderr, a line as it is.
void say(std::string_view line);

/// On stderr, a line that begins with the program's name: what is wrong, or what the reader must know.
void complain(std::string_view line);

/// Columns of the terminal, else those that the variable COLUMNS names; nothing where neither is there.
std::optional<std::size_t> asked_columns();

/// The same, else 80.
std::size_t output_columns();

/// Whether words may be coloured: on a terminal, unless NO_COLOR is set (no-color.org) or TERM is "dumb".
bool output_has_colour();

}  // namespace cupel::cli
