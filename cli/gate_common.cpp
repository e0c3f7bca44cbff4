#include "cli/gate_common.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/files/input_file.hpp"
#include "cupel/files/labels.hpp"
#include "cupel/host/host_info.hpp"
#include "cupel/host/private_paths.hpp"
#include "cupel/record/json.hpp"
#include "cupel/runner/output.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::cli {

void require_room_for_same(double tolerance, double target, const std::string& where) {
  if (tolerance < target) return;
  throw UsageError(
      fmt::format("the tolerance of {} is not below the target of {}{}: nothing could be called SAME; "
                  "lower the tolerance or raise the target (--target)",
                  units::format_percent(tolerance), units::format_percent(target), where));
}

void add_gate_run_flags(Command& command, GateRunFlags& flags) {
  add_profile_flags(
      command, flags.profile,
      {"cupel's executables: few sizes, short sampling (default)",
       "cupel's executables: the profile of published results", "cupel's executables: all sizes and variants"});
  add_filter_flag(command, flags.filters);
  command.add_option("--arg ARG", flags.extra, "Argument for executables that are not cupel's")->repeatable();
  command.add_option("--timeout TIME", flags.timeout, "End an executable that runs longer, e.g. 5m");
  command.add_option("--max-wall TIME", flags.max_wall,
                     "cupel's executables: stop sampling a benchmark after this time");
  add_device_flag(command, flags.device);
  command.add_option("--seed", flags.seed, "Seed of the inputs and of the order (default 1)");
}

void add_renames_flag(Command& command, std::optional<std::string>& file) {
  command.add_option("--renames FILE", file, "JSON object of old name to new, for benchmarks that were renamed");
}

figures::Renames read_renames(const std::optional<std::string>& file) {
  return file ? figures::renames_from_json(files::read_file(*file), *file) : figures::Renames{};
}

void require_none_idle(const figures::Renames& renames, const std::set<std::string>& renamed,
                       std::span<const std::set<std::string>> sides, const std::optional<std::string>& file) {
  const std::vector<std::string> idle = figures::idle_renames(renames, renamed, sides);
  if (idle.empty()) return;
  std::set<std::string> there;
  for (const std::set<std::string>& side : sides) there.insert(side.begin(), side.end());
  throw UsageError(fmt::format("{}: no benchmark is called {}{}; {}", *file, units::visible(idle.front()),
                               idle.size() == 1 ? "" : fmt::format(", nor {} more", idle.size() - 1),
                               units::visible(suggestions({idle.front()}, {there.begin(), there.end()}))));
}

void require_none_idle(const figures::Renames& renames, std::span<const figures::Suite> suites,
                       const std::optional<std::string>& file) {
  std::set<std::string> renamed;
  std::vector<std::set<std::string>> sides;
  for (const figures::Suite& suite : suites) {
    renamed.insert(suite.renamed.begin(), suite.renamed.end());
    sides.push_back(figures::spellings_of(suite));
  }
  require_none_idle(renames, renamed, sides, file);
}

runner::GateRunSettings run_settings(const GateRunFlags& flags, const figures::Renames& renames) {
  runner::GateRunSettings settings;
  settings.settings.profile = flags.profile.asked().value_or("quick");
  settings.settings.seed = flags.seed.value_or(1);
  if (flags.timeout) settings.settings.timeout_s = units::parse_duration(*flags.timeout);
  if (flags.max_wall) settings.settings.max_wall_s = units::parse_duration(*flags.max_wall);
  settings.settings.device = flags.device;
  check_settings(settings.settings);
  settings.filters = flags.filters;
  settings.extra = flags.extra;
  settings.renames.insert(renames.begin(), renames.end());
  return settings;
}

std::vector<std::filesystem::path> paths_of(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

std::string label_of(const std::vector<std::string>& names) {
  return host::without_private_paths(files::names_text(names));
}

figures::Suite measured_suite(record::ResultSet results, const std::string& label) {
  if (results.context.host.cpu.empty()) host::fill_missing(results.context.host, host::read_host_info());
  return figures::suite_of(results, label);
}

void keep_chosen(figures::Suite& suite, const std::vector<std::string>& filters) {
  const runner::Filters chosen(filters);
  std::erase_if(suite.benchmarks, [&](const figures::Benchmark& one) {
    return !chosen.choose({one.name, one.printed});
  });
}

std::vector<std::string> names_of(std::span<const figures::Suite> suites) {
  std::vector<std::string> names;
  for (const figures::Suite& suite : suites) {
    for (const figures::Benchmark& one : suite.benchmarks) names.push_back(one.name);
  }
  return names;
}

bool is_json_file(const std::string& path) {
  constexpr std::size_t kBlanks = 4096;  // that may stand before it
  const std::string begin = files::begin_of_file(path, kBlanks);
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  return first != begin.npos && begin[first] == '{';
}

bool can_be_run(const std::string& path) {
  return std::filesystem::is_regular_file(path) && ::access(path.c_str(), X_OK) == 0;
}

void require_programs(const std::vector<std::string>& programs, const std::string& of_results) {
  for (const std::string& program : programs) {
    if (!std::filesystem::exists(program)) throw UsageError(fmt::format("{}: there is no such file", program));
    if (is_json_file(program)) throw UsageError(fmt::format("{} is a result file; {}", program, of_results));
    if (!can_be_run(program)) throw UsageError(fmt::format("{} cannot be run: it is no executable file", program));
  }
}

std::string today() { return runner::utc_iso().substr(0, 10); }

}  // namespace cupel::cli
