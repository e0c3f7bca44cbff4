// The CUDA that NCCL's library was built with. It has no function that tells; the library says so in a text of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cupel::device {

/// 1000 major + 10 minor, from "NCCL version 2.28.9+cuda13.0" in the library's bytes; nothing where they do not say.
std::optional<int> nccl_built_with(std::string_view library);

/// The same of a library's file; nothing where it cannot be read.
std::optional<int> nccl_file_built_with(const std::string& file);

}  // namespace cupel::device
