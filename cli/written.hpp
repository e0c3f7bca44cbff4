// Texts that a command prints, or writes to the file of --output.
#pragma once

#include <string>

#include "cli/command_line.hpp"

namespace cupel::cli {

/// -o, --output FILE, of what is printed otherwise. The default of `path` is "-".
Option* add_output_flag(Command& command, std::string& path);

/// Throws UsageError: the file holds measurements, of which there may be no others.
void require_no_result(const std::string& path);

/// As files::write_file() does, where there are no measurements yet; "-" is stdout.
void write_text(const std::string& path, const std::string& text);

}  // namespace cupel::cli
