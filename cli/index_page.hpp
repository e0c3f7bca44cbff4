// The page that lists the results of a folder.
#pragma once

#include <filesystem>

namespace cupel::cli {

/// Writes index.html in the folder, of the results in it and of its folders that hold some, each of which is one run.
/// Returns its path. Throws UsageError where the folder cannot be read, files::WriteError.
std::filesystem::path write_index_of(const std::filesystem::path& folder, bool force);

}  // namespace cupel::cli
