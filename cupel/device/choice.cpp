#include "cupel/device/choice.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>

#include "cupel/units/parse.hpp"

namespace cupel::device {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The digits behind "GPU-" or "MIG-", in small letters; nothing where neither is there. CUDA gives an instance's UUID
// without saying that it is one.
std::optional<std::string> digits_of(const std::string& uuid) {
  const std::string text = lower(uuid);
  if (!text.starts_with("gpu-") && !text.starts_with("mig-")) return std::nullopt;
  return text.substr(4);
}

[[noreturn]] void refuse(const std::string& why, const std::vector<VisibleDevice>& devices) {
  std::string text = why + "; there are:";
  for (std::size_t i = 0; i < devices.size(); ++i) {
    text += "\n  " + std::to_string(i) + "  " + devices[i].name + "  " + devices[i].uuid;
  }
  throw std::invalid_argument(text);
}

}  // namespace

int chosen_device(const std::string& asked, const std::vector<VisibleDevice>& devices) {
  if (asked.empty()) return 0;
  if (const auto number = units::number<std::size_t>(asked)) {
    if (*number < devices.size()) return static_cast<int>(*number);
    refuse("no GPU has the number " + asked, devices);
  }
  const auto digits = digits_of(asked);
  if (!digits)
    refuse("'" + asked + "' is neither the number of a GPU nor the beginning of its UUID (GPU-...)", devices);
  const auto is_meant = [&](const VisibleDevice& device) {
    return digits_of(device.uuid).value_or("").starts_with(*digits);
  };
  const auto first = std::ranges::find_if(devices, is_meant);
  if (first == devices.end()) refuse("no GPU has a UUID that begins with " + asked, devices);
  if (std::ranges::count_if(devices, is_meant) > 1)
    refuse("several GPUs have a UUID that begins with " + asked, devices);
  return static_cast<int>(first - devices.begin());
}

std::string device_text(int device, const std::vector<VisibleDevice>& devices) {
  const VisibleDevice& one = devices[static_cast<std::size_t>(device)];
  return "GPU " + std::to_string(device) + " of " + std::to_string(devices.size()) + ": " + one.name + " (" + one.uuid +
         ")";
}

}  // namespace cupel::device
