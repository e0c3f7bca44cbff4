// The subcommands. Each has a file of its own that adds its flags to the program and says what it does when chosen.
//
// To add one: write cli/<name>.cpp with `void add_<name>(Command&)`, declare it here, list the file in
// CMakeLists.txt and call it in main.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/command_line.hpp"

namespace cupel::cli {

/// Wrong usage: exit code 2, with a pointer to --help.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void add_run(Command& app);
void add_list(Command& app);
void add_show(Command& app);
void add_report(Command& app);
void add_explain(Command& app);
void add_validate(Command& app);
void add_doctor(Command& app);
void add_compare(Command& app);
void add_export(Command& app);
void add_advise(Command& app);
void add_gate(Command& app);
void add_calibrate(Command& app);
void add_history(Command& app);
void add_bands(Command& app);
void add_submit(Command& app);
void add_completions(Command& app);
void add_manual(Command& app);

/// The texts of families about themselves, in files beside their executables: cupel_bench_<family>.explain.md, or
/// .advice.md. In the folder that was asked for, else where `cupel run` looks; none where there is no such folder.
/// Throws files::ReadError.
std::vector<std::string> family_texts(const std::optional<std::string>& asked_folder, const std::string& ending);

/// Takes the advice of such families into the catalogue. Throws files::ReadError, or std::invalid_argument, which
/// names the file.
void add_family_advice(const std::optional<std::string>& asked_folder);

/// This program's own file, symbolic links resolved.
std::filesystem::path program_path();

}  // namespace cupel::cli
