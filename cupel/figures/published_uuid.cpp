#include "cupel/figures/published_uuid.hpp"

#include <algorithm>

#include "cupel/files/sha256.hpp"

namespace cupel::figures {
namespace {

constexpr std::string_view kGpuPrefix = "GPU-";
constexpr std::size_t kUuidDigits = 32;

}  // namespace

bool is_published(std::string_view uuid) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return uuid.size() == kGpuPrefix.size() + kUuidDigits && uuid.starts_with(kGpuPrefix) &&
         std::ranges::all_of(uuid.substr(kGpuPrefix.size()), is_digit);
}

std::string published_uuid(const std::string& uuid) {
  if (uuid.empty() || is_published(uuid)) return uuid;
  return std::string(kGpuPrefix) + files::sha256(uuid).substr(0, kUuidDigits);
}

}  // namespace cupel::figures
