#include "cli/resume.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::cli {
namespace {

template <typename Value>
void require_same(const char* what, const std::optional<Value>& asked, const Value& there) {
  if (!asked || *asked == there) return;
  throw UsageError(fmt::format(
      "--resume: {} is {} in the file, {} on the command line; leave it out, or start a new run", what, there, *asked));
}

// The same for a setting that the file may not have either: then the profile's was used.
template <typename Value>
void require_same(const char* what, const std::optional<Value>& asked, const std::optional<Value>& there) {
  if (!asked || asked == there) return;
  throw UsageError(
      fmt::format("--resume: {} is {} in the file, {} on the command line; leave it out, or start a new run", what,
                  there ? fmt::format("{}", *there) : "the profile's own", *asked));
}

void require_same(const char* what, std::vector<std::string> asked, std::vector<std::string> there) {
  std::ranges::sort(asked);
  std::ranges::sort(there);
  if (asked.empty() || asked == there) return;
  throw UsageError(
      fmt::format("--resume: {} '{}' in the file, '{}' on the command line; leave it out, or start a new run", what,
                  fmt::join(there, ","), fmt::join(asked, ",")));
}

Begun new_run(const Asked& asked) {
  Begun begun;
  begun.selection = asked.selection;
  runner::Settings& settings = begun.settings;
  settings.profile = asked.profile.value_or("quick");
  settings.processes = asked.processes.value_or(runner::default_processes(settings.profile));
  settings.seed = asked.seed.value_or(1);
  settings.timer = asked.timer.value_or("events");
  settings.device = asked.device;
  settings.rounds = asked.rounds;
  settings.noise_goal = asked.noise_goal;
  settings.max_wall_s = asked.max_wall_s;
  settings.allow_managed = asked.allow_managed;
  settings.allow_multicast = asked.allow_multicast;
  settings.sustained = asked.sustained;
  settings.zeros = asked.zeros;
  settings.data = asked.data;
  settings.data_bytes = asked.data_bytes;
  settings.clean_data = asked.clean_data;
  return begun;
}

Begun of_file(const record::RunInfo& run) {
  Begun begun;
  runner::Settings& settings = begun.settings;
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
      runner::apply_note(settings, key, value);
    }
  }
  return begun;
}

}  // namespace

Begun begun_run(const Asked& asked, const std::optional<record::ResultSet>& earlier) {
  if (!earlier) return new_run(asked);
  Begun begun = of_file(earlier->context.run);
  const runner::Settings& there = begun.settings;
  require_same("profile", asked.profile, there.profile);
  require_same("number of processes", asked.processes, there.processes);
  require_same("seed", asked.seed, there.seed);
  require_same("timer", asked.timer, there.timer);
  require_same("rounds", asked.rounds, there.rounds);
  require_same("noise goal", asked.noise_goal, there.noise_goal);
  require_same("max wall", asked.max_wall_s, there.max_wall_s);
  if (asked.allow_managed && !there.allow_managed) {
    throw UsageError("--resume: the file was begun without --allow-managed; leave it out, or start a new run");
  }
  if (asked.allow_multicast && !there.allow_multicast) {
    throw UsageError("--resume: the file was begun without --allow-multicast; leave it out, or start a new run");
  }
  if (asked.sustained && !there.sustained) {
    throw UsageError("--resume: the file was begun without --sustained; leave it out, or start a new run");
  }
  if (asked.zeros && !there.zeros) {
    throw UsageError("--resume: the file was begun without --zeros; leave it out, or start a new run");
  }
  require_same("data", asked.data, there.data);
  require_same("size of the data", asked.data_bytes, there.data_bytes);
  begun.settings.clean_data |= asked.clean_data;
  require_same("families", asked.selection.families, begun.selection.families);
  require_same("filters", asked.selection.filters, begun.selection.filters);
  require_same("advice", asked.selection.advice, begun.selection.advice);
  // Whether it is the same device is for its UUID to say: numbers depend on the environment.
  if (asked.device) begun.settings.device = asked.device;
  return begun;
}

}  // namespace cupel::cli
