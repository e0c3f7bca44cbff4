#include "cupel/device/nccl_build.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <functional>

namespace cupel::device {
namespace {

constexpr std::string_view kBefore = "NCCL version ", kCuda = "+cuda";
constexpr std::size_t kLongest = 64;  // from one to the end of the other

std::optional<int> version_at(std::string_view text) {
  int major = 0, minor = 0;
  const char* const end = text.data() + text.size();
  const auto [dot, no_major] = std::from_chars(text.data(), end, major);
  if (no_major != std::errc() || dot == end || *dot != '.') return std::nullopt;
  const auto [rest, no_minor] = std::from_chars(dot + 1, end, minor);
  if (no_minor != std::errc()) return std::nullopt;
  return 1000 * major + 10 * minor;
}

}  // namespace

std::optional<int> nccl_built_with(std::string_view library) {
  const std::boyer_moore_horspool_searcher looking_for(kBefore.begin(), kBefore.end());
  for (auto from = library.begin(); from != library.end(); ++from) {
    from = std::search(from, library.end(), looking_for);
    if (from == library.end()) break;
    const std::string_view text = library.substr(static_cast<std::size_t>(from - library.begin()), kLongest);
    const std::size_t cuda = text.substr(0, text.find('\0')).find(kCuda);
    if (cuda == std::string_view::npos) continue;
    if (const auto version = version_at(text.substr(cuda + kCuda.size()))) return version;
  }
  return std::nullopt;
}

// In parts that overlap: the file has hundreds of megabytes.
std::optional<int> nccl_file_built_with(const std::string& file) {
  constexpr std::size_t kPart = 1 << 20;
  std::ifstream library(file, std::ios::binary);
  std::string part(kPart + kLongest, '\0');
  std::size_t kept = 0;
  while (library) {
    library.read(part.data() + kept, kPart);
    const auto size = kept + static_cast<std::size_t>(library.gcount());
    if (const auto version = nccl_built_with(std::string_view(part).substr(0, size))) return version;
    kept = std::min(size, kLongest);
    std::copy_n(part.data() + size - kept, kept, part.data());
  }
  return std::nullopt;
}

}  // namespace cupel::device
