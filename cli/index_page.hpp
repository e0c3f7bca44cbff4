// The page that lists the results of a folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cupel/report/html/index.hpp"

namespace cupel::cli {

struct WrittenIndex {
  std::filesystem::path page;
  std::vector<report::Unlisted> unlisted;  ///< what cannot be read, or is no result of one run
};

/// Writes index.html in the folder, of the results in it and of its folders that hold some, each of which is one run.
/// bands: the folder of more bands. Throws UsageError where the folder cannot be read, files::WriteError.
WrittenIndex write_index_of(const std::filesystem::path& folder, bool force, const std::optional<std::string>& bands);

}  // namespace cupel::cli
