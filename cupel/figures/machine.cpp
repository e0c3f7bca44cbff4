#include "cupel/figures/machine.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "cupel/figures/facts.hpp"
#include "cupel/record/context.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::figures {
namespace {

// ", 5 boards" of several that were joined; nothing of one.
std::string boards_text(const record::DeviceInfo& device) {
  const auto commas = std::ranges::count(device.uuid, ',');
  return commas == 0 ? "" : fmt::format(", {} boards", commas + 1);
}

using Calibrations = std::vector<const record::Calibration*>;

Calibrations calibrations_of(const record::Context& context) {
  Calibrations all;
  if (context.calibration) all.push_back(&*context.calibration);
  for (const record::Calibration& further : context.further_calibrations) all.push_back(&further);
  return all;
}

// "2.09 us to 2.22 us", one of them where they print alike; empty of none.
std::string range_text(const std::vector<double>& values, std::string (*text)(double)) {
  if (values.empty()) return "";
  const auto [least, most] = std::ranges::minmax(values);
  return units::range_text(text(least), text(most));
}

template <typename Value>
std::string times_text(const Calibrations& all, Value value) {
  std::vector<double> times_s;
  for (const record::Calibration* one : all) times_s.push_back(value(*one));
  return range_text(times_s, units::format_duration);
}

// The times of an empty kernel and of a copy of a few bytes, and who says so.
std::string shortest_text(Calibrations all) {
  std::erase_if(all, [](const auto* one) { return !one->shortest_kernel_s || !one->shortest_copy_s; });
  if (all.empty()) return "";
  std::vector<std::string> sources;
  for (const record::Calibration* one : all) units::add_once(sources, one->shortest_source);
  return fmt::format("; the shortest kernel takes {}, the shortest copy {} ({})",
                     times_text(all, [](const auto& one) { return *one.shortest_kernel_s; }),
                     times_text(all, [](const auto& one) { return *one.shortest_copy_s; }), units::joined(sources));
}

std::string stream_text(const Calibrations& all) {
  std::vector<double> gains;
  for (const record::Calibration* one : all) {
    const double slowest_s = one->slowest_launch_spacing_s.value_or(0);
    if (slowest_s > 0 && one->launch_spacing_s) gains.push_back(1 - *one->launch_spacing_s / slowest_s);
  }
  if (gains.empty()) return "";
  return fmt::format("; short kernels start {} sooner on the chosen stream than on the slowest that was tried",
                     range_text(gains, units::format_percent));
}

// A label's words; how many boards there were, or of which file it is, stays in one piece behind them.
std::vector<std::string> words_of_label(const std::string& label) {
  const std::size_t end = std::min(label.find(", "), label.find(" ("));
  std::vector<std::string> words = units::split(label.substr(0, end), ' ');
  if (end != std::string::npos) words.push_back(label.substr(label.find_first_not_of(", ", end)));
  return words;
}

}  // namespace

std::string device_text(const record::DeviceInfo& device) {
  const std::vector<Fact> known = facts(device);
  return fmt::format("{}, {} SMs, {}, driver {}{}", device.name, value_of(known, "SMs"), value_of(known, "memory"),
                     value_of(known, "driver"), boards_text(device));
}

std::string host_text(const record::HostInfo& host) {
  const std::string cpu = host.cpu.empty() ? "unknown CPU" : host.cpu;
  if (host.logical_cpus == 0) return cpu;
  const bool has_all = host.usable_cpus == 0 || host.usable_cpus == host.logical_cpus;
  return fmt::format("{}, {}{}", cpu, has_all ? "" : fmt::format("{} of ", host.usable_cpus),
                     units::counted(host.logical_cpus, "CPU"));
}

std::string machine_name(const record::Context& context, const std::string& unknown) {
  if (context.device && !context.device->name.empty()) {
    return context.device->name + boards_text(*context.device);
  }
  return context.host.cpu.empty() ? unknown : context.host.cpu;
}

std::string libraries_text(const record::Context& context) {
  std::string text, folder;
  for (const record::Library& library : context.libraries) {
    if (library.loaded.empty()) continue;
    const std::string its = library.file.substr(0, library.file.rfind('/'));
    if (its != folder && !folder.empty()) text += " from " + folder;
    units::append(text, library.name + " " + library.loaded);
    folder = its;
  }
  return folder.empty() ? text : text + " from " + folder;
}

std::string timing_text(const record::Context& context) {
  const Calibrations all = calibrations_of(context);
  if (all.empty()) return "";
  return fmt::format("a pair of events adds {} to a kernel and {} to a copy, which is taken off",
                     times_text(all, [](const auto& one) { return one.event_floor_kernel_s; }),
                     times_text(all, [](const auto& one) { return one.event_floor_copy_s; })) +
         shortest_text(all) + stream_text(all);
}

std::string two_runs_remark(bool of_one_model) {
  const std::string remark =
      "Two runs differ without any change: on H200s half of a family's device times by less than 1.1 %, nine in ten by "
      "less than 6 %, host times by up to 40 %.";
  return remark + (of_one_model ? " To judge a change use cupel gate, which runs both sides in turn." : "");
}

std::vector<std::string> short_names(const std::vector<std::string>& labels) {
  if (labels.size() < 2) return std::vector<std::string>(labels.size());
  std::vector<std::vector<std::string>> words;
  for (const std::string& label : labels) words.push_back(words_of_label(label));
  const auto all_begin_alike = [&] {
    return std::ranges::all_of(words, [&](const auto& one) { return one.size() > 1 && one[0] == words[0][0]; });
  };
  while (all_begin_alike())
    for (auto& one : words) one.erase(one.begin());
  for (std::size_t length = 1;; ++length) {
    std::vector<std::string> names;
    for (const auto& one : words) names.push_back(units::joined(one | std::views::take(length), " "));
    if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  }
}

}  // namespace cupel::figures
