// The names by which files are told apart.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cupel::files {

/// The file's path without .json or .json.gz; standard input's words.
std::filesystem::path without_ending(const std::string& file);

/// The files' names without .json or .json.gz. Where two are alike, what tells the paths apart: of a/sync.json and
/// b/sync.json the folders.
std::vector<std::string> labels_of(const std::vector<std::string>& files);

}  // namespace cupel::files
