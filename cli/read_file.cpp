#include "cli/read_file.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cupel/record/json.hpp"

namespace cupel::cli {

std::string read_file(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw record::ReadError(fmt::format("{}: cannot be read: {}", path, error.message()));
  if (size > static_cast<std::uintmax_t>(record::kLargestFile)) {
    throw record::ReadError(fmt::format("{}: larger than {} bytes", path, record::kLargestFile));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) throw record::ReadError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return text;
}

}  // namespace cupel::cli
