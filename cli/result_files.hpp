// Result files as they are named on a command line.
#pragma once

#include <string>
#include <vector>

#include "cupel/record/record.hpp"

namespace cupel::cli {

/// The .json files in a folder, by name. Throws UsageError where it cannot be read.
std::vector<std::string> files_in(const std::string& folder);

/// The names, each folder among them replaced by the .json files in it, by name. Throws UsageError of a folder that
/// holds none or cannot be read.
std::vector<std::string> files_of(const std::vector<std::string>& names);

/// What one run measured: a result file, or a folder of files that are parts of one run, joined (figures::join_parts).
/// Throws UsageError of a folder whose files are of several runs, record::ReadError.
record::ResultSet read_results(const std::string& file_or_folder);

}  // namespace cupel::cli
