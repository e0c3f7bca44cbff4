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
  std::vector<report::Unlisted> unlisted;   ///< what cannot be read, or is no result of one run
  std::vector<std::filesystem::path> made;  ///< pages of results that had none
};

/// Writes index.html in the folder, of the results in it and of its folders that hold some, each of which is one run.
/// bands: the folder of more bands. makes_pages: also writes the page of each result beside it that has none, so that
/// each can be opened; a copy has that of its original. Throws UsageError where the folder cannot be read,
/// files::WriteError.
WrittenIndex write_index_of(const std::filesystem::path& folder, bool force, const std::optional<std::string>& bands,
                            bool makes_pages);

}  // namespace cupel::cli
