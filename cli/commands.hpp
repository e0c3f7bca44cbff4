// The subcommands. Each has a file of its own that adds its flags to the program and says what it does when chosen.
//
// To add one: write cli/<name>.cpp with `void add_<name>(Command&, Action&)`, declare it here, list the file in
// CMakeLists.txt and call it in main.cpp.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>

#include "cli/command_line.hpp"

namespace cupel::cli {

/// Set by the chosen subcommand while the command line is read; main() then runs it. Returns the exit code. May throw:
/// main() prints what() on one line and returns UsageError's, record::ReadError's and any other exception's code.
using Action = std::function<int()>;

/// Wrong usage: exit code 2, with a pointer to --help.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void add_run(Command& app, Action& action);
void add_list(Command& app, Action& action);
void add_show(Command& app, Action& action);
void add_report(Command& app, Action& action);
void add_explain(Command& app, Action& action);
void add_validate(Command& app, Action& action);
void add_doctor(Command& app, Action& action);
void add_compare(Command& app, Action& action);
void add_advise(Command& app, Action& action);
void add_gate(Command& app, Action& action);
void add_calibrate(Command& app, Action& action);
void add_history(Command& app, Action& action);
void add_bands(Command& app, Action& action);

/// This program's own file, symbolic links resolved.
std::filesystem::path program_path();

}  // namespace cupel::cli
