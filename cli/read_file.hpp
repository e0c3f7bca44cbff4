#pragma once

#include <string>

namespace cupel::cli {

/// The whole file. Throws record::ReadError when it is not a regular file, cannot be read, or is larger than
/// record::kLargestFile.
std::string read_file(const std::string& path);

}  // namespace cupel::cli
