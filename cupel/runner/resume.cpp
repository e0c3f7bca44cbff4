#include "cupel/runner/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "cupel/record/record.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::runner {
namespace {

[[noreturn]] void refuse(const std::string& how_it_differs) {
  throw std::invalid_argument(how_it_differs + "; leave it out, or start a new run");
}

template <typename Value>
void require_same(const char* what, const std::optional<Value>& asked, const Value& there) {
  if (!asked || *asked == there) return;
  refuse(fmt::format("{} is {} in the file, {} on the command line", what, there, *asked));
}

void require_same(const char* what, std::vector<std::string> asked, std::vector<std::string> there) {
  std::ranges::sort(asked);
  std::ranges::sort(there);
  if (asked.empty() || asked == there) return;
  refuse(
      fmt::format("{} '{}' in the file, '{}' on the command line", what, fmt::join(there, ","), fmt::join(asked, ",")));
}

// Whether it is the same device is for its UUID to say; to clean up is always allowed.
void require_same(const Settings& asked, const Settings& there) {
  std::map<std::string, std::string> in_file;
  for (const auto& [flag, value] : notes(there)) in_file.emplace(flag, value);
  for (const auto& [flag, value] : notes(asked)) {
    if (flag == "--device" || flag == "--clean-data") continue;
    const auto found = in_file.find(flag);
    if (found == in_file.end() && value == "true") refuse(fmt::format("the file was begun without {}", flag));
    const std::string was = found == in_file.end() ? "the profile's own" : found->second;
    if (was == value) continue;
    std::string what = flag.substr(2);
    std::ranges::replace(what, '-', ' ');
    refuse(fmt::format("{} is {} in the file, {} on the command line", what, was, value));
  }
}

Begun new_run(const Asked& asked) {
  Begun begun{asked.settings, asked.selection};
  Settings& settings = begun.settings;
  settings.profile = asked.profile.value_or("quick");
  settings.processes = asked.processes.value_or(default_processes(settings.profile));
  settings.seed = asked.seed.value_or(1);
  settings.timer = asked.timer.value_or("events");
  return begun;
}

Begun of_file(const record::RunInfo& run) {
  Begun begun;
  Settings& settings = begun.settings;
  settings.profile = run.profile;
  settings.processes = run.processes;
  settings.seed = run.seed;
  settings.timer = run.timer;
  begun.selection.families = run.families;
  begun.selection.filters = run.filters;
  for (const auto& [key, value] : run.notes) {
    if (key == "--advice") {
      begun.selection.advice = units::split(value, ',');
    } else {
      apply_note(settings, key, value);
    }
  }
  return begun;
}

}  // namespace

Begun begun_run(const Asked& asked, const std::optional<record::ResultSet>& earlier) {
  if (!earlier) return new_run(asked);
  Begun begun = of_file(earlier->context.run);
  const Settings& there = begun.settings;
  require_same("profile", asked.profile, there.profile);
  require_same("number of processes", asked.processes, there.processes);
  require_same("seed", asked.seed, there.seed);
  require_same("timer", asked.timer, there.timer);
  require_same(asked.settings, there);
  require_same("families", asked.selection.families, begun.selection.families);
  require_same("filters", asked.selection.filters, begun.selection.filters);
  require_same("advice", asked.selection.advice, begun.selection.advice);
  begun.settings.clean_data |= asked.settings.clean_data;
  if (asked.settings.device) begun.settings.device = asked.settings.device;
  begun.settings.timeout_s = asked.settings.timeout_s;
  begun.settings.python = asked.settings.python;
  begun.settings.model = asked.settings.model;
  return begun;
}

}  // namespace cupel::runner
