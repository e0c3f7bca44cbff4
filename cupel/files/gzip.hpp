// Text as gzip packs it; input_file.hpp reads it.
#pragma once

#include <string>
#include <string_view>

namespace cupel::files {

/// The same bytes for the same text on any day and machine: the header has no name and no time.
std::string gzipped(std::string_view text);

}  // namespace cupel::files
