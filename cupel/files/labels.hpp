// The names by which files are told apart.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cupel::files {

/// The file's path without .json or .json.gz; standard input's words.
std::filesystem::path without_ending(const std::string& file);

/// "a.json, b.json", as messages and pages name them.
std::string names_text(const std::vector<std::string>& files);

/// The files as arguments of a command that can be typed into a shell: quotes stand around a name that the shell would
/// take apart, ./ before one that looks like an option.
std::string arguments_text(const std::vector<std::string>& files);

/// The names of the folders in a folder, sorted.
std::vector<std::string> folders_in(const std::filesystem::path& folder);

/// The files' names without .json or .json.gz. Where two are alike, what tells the paths apart: of a/sync.json and
/// b/sync.json the folders.
std::vector<std::string> labels_of(const std::vector<std::string>& files);

}  // namespace cupel::files
