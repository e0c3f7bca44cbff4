// Words for whoever looks on. Nobody may: a terminal goes away, `head` has read enough, a disk is full. None of it is a
// reason to end before the work is done.
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "cupel/record/names.hpp"

namespace cupel::runner {

/// At the start of the program: a closed stdin, stdout or stderr is no longer free for the next file that is opened,
/// which would get what was meant for the terminal. Using it stays an error.
void hold_closed_streams();

/// Columns of the terminal that the stream is; nothing where it is none, or does not say.
std::optional<std::size_t> terminal_columns(std::FILE* stream);

/// The same, else the columns that the variable COLUMNS names, from 40 to 10,000; nothing where neither is there.
std::optional<std::size_t> asked_columns(std::FILE* stream);

/// Whether the stream is a terminal that obeys control characters: not with TERM=dumb.
bool can_rewrite(std::FILE* stream);

enum class ColourWhen { automatic, always, never };
constexpr auto names_of(ColourWhen) { return std::array{"auto", "always", "never"}; }
using record::to_string;

/// As the user asked for it; automatic until then.
void choose_colour(ColourWhen when);

/// Whether words are coloured there, as was chosen. Automatic: on a terminal that can_rewrite(), and anywhere where
/// CLICOLOR_FORCE is set and not 0, but not where NO_COLOR is set (no-color.org), which counts first.
bool has_colour(std::FILE* stream);

/// Writes as much as the stream takes; the rest is lost. Neither throws nor ends the program, if SIGPIPE is ignored.
void print(std::FILE* stream, std::string_view text);

/// Writes a line, in several where it is wider than asked_columns(): the further ones are indented as those of tables
/// are. A log has it whole, to be searched.
void print_line(std::FILE* stream, const std::string& line);

/// At the end of the program: writes what stdout still holds. 0 when all that was printed there is written, else why
/// not (errno): EPIPE where its reader went away.
int finish_output();

}  // namespace cupel::runner
