#include "cupel/device/nccl_build.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
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

std::optional<int> nccl_file_built_with(const std::string& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  struct stat status {};
  const bool is_known = fstat(descriptor, &status) == 0 && status.st_size > 0;
  const auto size = static_cast<std::size_t>(is_known ? status.st_size : 0);
  void* bytes = is_known ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
  close(descriptor);
  if (bytes == MAP_FAILED) return std::nullopt;
  const auto version = nccl_built_with({static_cast<const char*>(bytes), size});
  munmap(bytes, size);
  return version;
}

}  // namespace cupel::device
