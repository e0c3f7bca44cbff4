// Whole files in and out. Internal to cupel/record.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cupel::record::detail {

/// The file's text. Throws ReadError: not there, not a regular file, larger than kLargestFile.
std::string read_file(const std::filesystem::path&);

/// Replaces the file at once, or leaves it as it was; see write() in json.hpp. Throws WriteError.
void replace_file(const std::filesystem::path&, std::string_view text);

/// Writes all of it to the descriptor; false with errno on failure.
bool write_all(int descriptor, std::string_view text);

}  // namespace cupel::record::detail
