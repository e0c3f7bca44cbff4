#include "cupel/report/html/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cupel/figures/facts.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/telemetry_summary.hpp"
#include "cupel/record/record.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report::html {
namespace {

using units::Unit;

using Facts = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kDiffers = "differs";

// Empty where nothing is known: such facts are left out.
std::string size(std::int64_t bytes) { return bytes == 0 ? "" : units::format_size(bytes); }
std::string measure(const std::optional<double>& value, Unit unit) {
  return value.value_or(0) == 0 ? "" : units::format(*value, unit);
}

Facts calibration_facts(const record::Calibration& calibration) {
  return {{"event pair around a kernel", measure(calibration.event_floor_kernel_s, Unit::seconds)},
          {"event pair around a copy", measure(calibration.event_floor_copy_s, Unit::seconds)},
          {"of which an empty kernel takes", measure(calibration.shortest_kernel_s, Unit::seconds)},
          {"and a copy of 4 bytes", measure(calibration.shortest_copy_s, Unit::seconds)},
          {"by", calibration.shortest_source},
          {"resolution of events", measure(calibration.event_resolution_s, Unit::seconds)},
          {"L2 is made cold by", calibration.flush},
          {"bytes for that", size(calibration.flush_bytes)},
          {"short kernels, one to the next", measure(calibration.launch_spacing_s, Unit::seconds)},
          {"on the slowest stream tried", measure(calibration.slowest_launch_spacing_s, Unit::seconds)}};
}

std::string range_text(const figures::Extremes& seen, Unit unit) {
  if (!seen.low) return "";
  return units::range_text(units::format(*seen.low, unit), units::format(*seen.high, unit));
}

Facts telemetry_facts(const record::ResultSet& results) {
  const figures::TelemetrySummary seen = figures::telemetry_summary(results);
  if (seen.rows == 0) return {};
  const auto of_rows = [&](int count) { return fmt::format("{} of {} results", count, results.rows.size()); };
  Facts facts{{"SM clock", range_text(seen.sm_clock_hz, Unit::hertz)},
              {"SM clock read while the work ran",
               seen.says_how ? of_rows(seen.under_load) + ", else before and after it" : ""},
              {"memory clock", range_text(seen.memory_clock_hz, Unit::hertz)},
              {"highest power", range_text(seen.power_w, Unit::watts)},
              {"highest temperature", range_text(seen.temperature_c, Unit::celsius)},
              {"throttled, or the GPU shared", of_rows(seen.disturbed)},
              {"not settled", of_rows(seen.unsettled)},
              {"other processes on the GPU", of_rows(seen.shared)},
              {"at the power limit", figures::power_limited_text(figures::power_limited(results))}};
  for (const auto& [reason, count] : seen.throttled) facts.emplace_back("throttled: " + reason, of_rows(count));
  return facts;
}

// All that is known of the machine and the run, by subject, then of the measuring.
std::vector<Facts> facts_of(const record::ResultSet& results) {
  const record::Context& context = results.context;
  std::vector<Facts> all(names_of(figures::Subject{}).size());
  for (const figures::Fact& fact : figures::facts(context)) {
    if (fact.value) all[static_cast<std::size_t>(fact.subject)].emplace_back(fact.name, *fact.value);
  }
  all.push_back(context.calibration ? calibration_facts(*context.calibration) : Facts{});
  all.push_back(telemetry_facts(results));
  for (Facts& facts : all) std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return all;
}

std::vector<std::string> titles() {
  constexpr auto kSubjects = names_of(figures::Subject{});
  std::vector<std::string> all(kSubjects.begin(), kSubjects.end());
  all.insert(all.end(), {"What measuring costs", "While measuring"});
  return all;
}

std::string known(const Facts& facts, const std::string& key) {
  const auto fact = std::ranges::find(facts, key, &Facts::value_type::first);
  return fact == facts.end() ? "not known" : fact->second;
}

// One part of each device, what differs first.
void add_part(Table& table, const std::string& title, const std::vector<Facts>& devices) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> keys;  // in the order of the first that has them
  for (const Facts& facts : devices) {
    for (const auto& [key, value] : facts) units::add_once(keys, key);
  }
  for (const std::string& key : keys) {
    std::vector<std::string> values;
    for (const Facts& facts : devices) values.push_back(known(facts, key));
    std::vector<std::string>& row =
        rows.emplace_back(std::vector<std::string>{key, units::differ(values) ? kDiffers : ""});
    std::ranges::move(values, std::back_inserter(row));
  }
  if (rows.empty()) return;
  table.group(title);
  std::ranges::stable_partition(rows, [](const auto& row) { return row[1] == kDiffers; });
  for (std::vector<std::string>& row : rows) table.row(std::move(row));
}

}  // namespace

Table environment_table(const std::vector<Device>& devices) {
  Table table({left("fact"), left("")});
  std::vector<std::string> files{"file", ""};
  const std::vector<std::string> subjects = titles();
  std::vector<std::vector<Facts>> parts(subjects.size());
  for (const Device& device : devices) {
    table.columns.push_back({.title = device.name.empty() ? device.label : device.name, .device = device.number});
    files.push_back(device.file);
    const std::vector<Facts> facts = facts_of(*device.results);
    for (std::size_t part = 0; part < facts.size(); ++part) parts[part].push_back(facts[part]);
  }
  table.row(std::move(files));
  for (std::size_t part = 0; part < parts.size(); ++part) add_part(table, subjects[part], parts[part]);
  table.badges = {{kDiffers, Badge::warn}};
  return table;
}

}  // namespace cupel::report::html
