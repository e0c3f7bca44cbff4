// What the subcommands say. Whoever was to read it may be gone; see cupel/runner/print.hpp.
#pragma once

#include <string_view>

namespace cupel::cli {

/// On stdout: what was asked for.
void print(std::string_view text);

/// On stderr, a line as it is.
void say(std::string_view line);

/// On stderr, a line that begins with the program's name: what is wrong, or what the reader must know.
void complain(std::string_view line);

}  // namespace cupel::cli
