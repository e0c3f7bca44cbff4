#include "cupel/runner/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <type_traits>

#include "cupel/host/private_paths.hpp"
#include "cupel/record/bounds.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::runner {
namespace {

namespace fs = std::filesystem;

// Each setting but profile, processes, seed and timer, once: its flag, and the bounds of a number.
void visit(auto& settings, const auto& v) {
  v("device", settings.device);
  v("rounds", settings.rounds, record::kRoundBounds);
  v("noise-goal", settings.noise_goal, record::kNoiseGoalBounds);
  v("max-wall", settings.max_wall_s, record::kWallBounds);
  v("min-samples", settings.min_samples, record::kSampleBounds);
  v("max-samples", settings.max_samples, record::kSampleBounds);
  v("allow-managed", settings.allow_managed);
  v("allow-multicast", settings.allow_multicast);
  v("sustained", settings.sustained);
  v("zeros", settings.zeros);
  v("libraries", settings.libraries);
  v("data", settings.data);
  v("data-bytes", settings.data_bytes, record::kDataByteBounds);
  v("clean-data", settings.clean_data);
}

std::string text_of(bool) { return "true"; }
std::string text_of(const auto& value) { return fmt::format("{}", *value); }

bool read(const std::string& text, bool& value) { return value = text == "true"; }
bool read(const std::string& text, std::optional<std::string>& value) {
  value = host::with_home(text);
  return true;
}
template <typename Number>
bool read(const std::string& text, std::optional<Number>& value) {
  const std::optional<Number> number = units::number<Number>(text);
  if (number) value = number;
  return number.has_value();
}

void hold(const std::string& what, double value, record::Bounds bounds) {
  if (bounds.contains(value)) return;
  throw std::invalid_argument(fmt::format("{}: {} lies outside of {} to {}", what, value, bounds.least, bounds.most));
}

bool holds_library(const fs::path& folder) {
  std::error_code none;
  const auto is_library = [](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return name.starts_with("lib") && name.find(".so") != name.npos;
  };
  return std::any_of(fs::directory_iterator(folder, none), fs::directory_iterator(), is_library);
}

std::vector<std::string> library_folders(const fs::path& folder) {
  std::vector<std::string> found;
  if (holds_library(folder)) found.push_back(fs::absolute(folder).lexically_normal().string());
  std::error_code none;
  for (const fs::directory_entry& package : fs::directory_iterator(folder / "nvidia", none)) {
    const fs::path libraries = fs::absolute(package.path() / "lib").lexically_normal();
    if (holds_library(libraries)) found.push_back(libraries.string());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

int default_processes(const std::string& profile) {
  if (profile == "quick") return 3;
  if (profile == "standard") return 5;
  if (profile == "full") return 7;
  throw std::invalid_argument(fmt::format("there is no profile '{}'; there are quick, standard and full", profile));
}

void check(const Settings& settings) {
  default_processes(settings.profile);
  hold("processes", settings.processes, record::kProcessBounds);
  visit(settings, [](const std::string& flag, const auto& value, auto... bounds) {
    if constexpr (sizeof...(bounds) > 0) {
      if (value) hold("--" + flag, static_cast<double>(*value), bounds...);
    }
  });
}

std::vector<std::string> child_flags(const Settings& settings) {
  std::vector<std::string> flags{"--cupel_profile=" + settings.profile, fmt::format("--cupel_seed={}", settings.seed),
                                 "--cupel_timer=" + settings.timer};
  visit(settings, [&](std::string flag, const auto& value, auto...) {
    if (!value || flag == "libraries") return;
    std::ranges::replace(flag, '-', '_');
    const bool is_switch = std::is_same_v<std::decay_t<decltype(value)>, bool>;
    flags.push_back("--cupel_" + flag + (is_switch ? "" : "=" + text_of(value)));
  });
  if (settings.python) flags.push_back("--cupel_python=" + *settings.python);
  if (settings.model) flags.push_back("--cupel_model=" + *settings.model);
  return flags;
}

void use_libraries(const std::filesystem::path& folder) {
  std::vector<std::string> places = library_folders(folder);
  if (places.empty()) {
    throw std::invalid_argument(
        fmt::format("--libraries {0}: neither {0} nor {0}/nvidia/*/lib holds a shared library", folder.string()));
  }
  if (const char* before = std::getenv("LD_LIBRARY_PATH"); before != nullptr && *before != '\0')
    places.push_back(before);
  ::setenv("LD_LIBRARY_PATH", fmt::format("{}", fmt::join(places, ":")).c_str(), 1);
}

std::vector<std::pair<std::string, std::string>> notes(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> all;
  visit(settings, [&](const std::string& flag, const auto& value, auto...) {
    if (value) all.emplace_back("--" + flag, text_of(value));
  });
  return all;
}

bool apply_note(Settings& settings, const std::string& flag, const std::string& value) {
  bool applied = false;
  visit(settings, [&](const std::string& name, auto& target, auto...) {
    if (flag == "--" + name) applied = read(value, target);
  });
  return applied;
}

}  // namespace cupel::runner
