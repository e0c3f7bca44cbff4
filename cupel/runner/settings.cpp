#include "cupel/runner/settings.hpp"

#include <fmt/core.h>

#include <charconv>
#include <stdexcept>

#include "cupel/host/private_paths.hpp"
#include "cupel/record/bounds.hpp"

namespace cupel::runner {
namespace {

template <typename Number>
bool parse(const std::string& text, std::optional<Number>& value) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  value = number;
  return true;
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
  const auto hold = [](const char* what, double value, record::Bounds bounds) {
    if (bounds.hold(value)) return;
    throw std::invalid_argument(fmt::format("{}: {} lies outside of {} to {}", what, value, bounds.least, bounds.most));
  };
  hold("processes", settings.processes, record::kProcessBounds);
  if (settings.rounds) hold("--rounds", *settings.rounds, record::kRoundBounds);
  if (settings.noise_goal) hold("--noise-goal", *settings.noise_goal, record::kNoiseGoalBounds);
  if (settings.max_wall_s) hold("--max-wall", *settings.max_wall_s, record::kWallBounds);
  if (settings.min_samples) hold("--min-samples", *settings.min_samples, record::kSampleBounds);
  if (settings.max_samples) hold("--max-samples", *settings.max_samples, record::kSampleBounds);
  if (settings.data_bytes) hold("--data-bytes", static_cast<double>(*settings.data_bytes), record::kDataByteBounds);
}

std::vector<std::string> child_flags(const Settings& settings) {
  std::vector<std::string> flags{"--cupel_profile=" + settings.profile, fmt::format("--cupel_seed={}", settings.seed),
                                 "--cupel_timer=" + settings.timer};
  if (settings.device) flags.push_back("--cupel_device=" + *settings.device);
  if (settings.rounds) flags.push_back(fmt::format("--cupel_rounds={}", *settings.rounds));
  if (settings.noise_goal) flags.push_back(fmt::format("--cupel_noise_goal={}", *settings.noise_goal));
  if (settings.max_wall_s) flags.push_back(fmt::format("--cupel_max_wall={}", *settings.max_wall_s));
  if (settings.min_samples) flags.push_back(fmt::format("--cupel_min_samples={}", *settings.min_samples));
  if (settings.max_samples) flags.push_back(fmt::format("--cupel_max_samples={}", *settings.max_samples));
  if (settings.allow_managed) flags.push_back("--cupel_allow_managed");
  if (settings.allow_multicast) flags.push_back("--cupel_allow_multicast");
  if (settings.sustained) flags.push_back("--cupel_sustained");
  if (settings.zeros) flags.push_back("--cupel_zeros");
  if (settings.data) flags.push_back("--cupel_data=" + *settings.data);
  if (settings.data_bytes) flags.push_back(fmt::format("--cupel_data_bytes={}", *settings.data_bytes));
  if (settings.clean_data) flags.push_back("--cupel_clean_data");
  return flags;
}

std::vector<std::pair<std::string, std::string>> notes(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> all;
  if (settings.device) all.emplace_back("--device", *settings.device);
  if (settings.rounds) all.emplace_back("--rounds", fmt::format("{}", *settings.rounds));
  if (settings.noise_goal) all.emplace_back("--noise-goal", fmt::format("{}", *settings.noise_goal));
  if (settings.max_wall_s) all.emplace_back("--max-wall", fmt::format("{}", *settings.max_wall_s));
  if (settings.min_samples) all.emplace_back("--min-samples", fmt::format("{}", *settings.min_samples));
  if (settings.max_samples) all.emplace_back("--max-samples", fmt::format("{}", *settings.max_samples));
  if (settings.allow_managed) all.emplace_back("--allow-managed", "true");
  if (settings.allow_multicast) all.emplace_back("--allow-multicast", "true");
  if (settings.sustained) all.emplace_back("--sustained", "true");
  if (settings.zeros) all.emplace_back("--zeros", "true");
  if (settings.data) all.emplace_back("--data", *settings.data);
  if (settings.data_bytes) all.emplace_back("--data-bytes", fmt::format("{}", *settings.data_bytes));
  if (settings.clean_data) all.emplace_back("--clean-data", "true");
  return all;
}

bool apply_note(Settings& settings, const std::string& flag, const std::string& value) {
  if (flag == "--device") return settings.device = value, true;
  if (flag == "--rounds") return parse(value, settings.rounds);
  if (flag == "--noise-goal") return parse(value, settings.noise_goal);
  if (flag == "--max-wall") return parse(value, settings.max_wall_s);
  if (flag == "--min-samples") return parse(value, settings.min_samples);
  if (flag == "--max-samples") return parse(value, settings.max_samples);
  if (flag == "--allow-managed") return settings.allow_managed = value == "true";
  if (flag == "--allow-multicast") return settings.allow_multicast = value == "true";
  if (flag == "--sustained") return settings.sustained = value == "true";
  if (flag == "--zeros") return settings.zeros = value == "true";
  if (flag == "--data") return settings.data = host::with_home(value), true;
  if (flag == "--data-bytes") return parse(value, settings.data_bytes);
  if (flag == "--clean-data") return settings.clean_data = value == "true";
  return false;
}

}  // namespace cupel::runner
