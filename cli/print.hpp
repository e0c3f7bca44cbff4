// The output of the subcommands, and what standard output is. Whoever was to read it may be gone; see
// cupel/runner/print.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/command_line.hpp"

namespace cupel::report {
struct Terminal;
}

namespace cupel::cli {

/// On stdout: what was asked for.
void print(std::string_view text);

/// On stderr, a line as it is, wrapped as runner::print_line() does.
void say(std::string_view line);

/// On stderr, a line that begins with the program's name: what is wrong, or what the reader must know.
void complain(std::string_view line);

/// The same of a line with a verdict in it, which may be coloured.
void complain(std::string_view before, std::string_view verdict, std::string_view after);

/// complain() of a line, for what takes a function.
inline constexpr auto kComplain = [](std::string_view line) { complain(line); };

/// Columns of stdout, as runner::asked_columns() has them, else 80.
std::size_t output_columns();

/// Whether stdout is a terminal.
bool is_terminal();

/// Whether verdicts are coloured in what goes to that file, "-" being stdout: never in another; see
/// runner::has_colour().
bool output_has_colour(std::string_view file = "-");

/// Both.
report::Terminal terminal_of(std::string_view file = "-");

/// -o, --output FILE, of what is printed otherwise. The default of `path` is "-".
Option* add_output_flag(Command& command, std::string& path);

/// Throws UsageError: the file holds measurements, of which there may be no others.
void require_no_result(const std::string& path);

/// As files::write_file() does, where there are no measurements yet; "-" is stdout.
void write_text(const std::string& path, const std::string& text);

}  // namespace cupel::cli
