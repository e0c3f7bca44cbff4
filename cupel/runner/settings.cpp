#include "cupel/runner/settings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "cupel/host/private_paths.hpp"
#include "cupel/record/bounds.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::runner {
namespace {

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
  if (bounds.hold(value)) return;
  throw std::invalid_argument(fmt::format("{}: {} lies outside of {} to {}", what, value, bounds.least, bounds.most));
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
    if (!value) return;
    std::ranges::replace(flag, '-', '_');
    const bool is_switch = std::is_same_v<std::decay_t<decltype(value)>, bool>;
    flags.push_back("--cupel_" + flag + (is_switch ? "" : "=" + text_of(value)));
  });
  if (settings.python) flags.push_back("--cupel_python=" + *settings.python);
  if (settings.model) flags.push_back("--cupel_model=" + *settings.model);
  return flags;
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
