#include "cupel/report/html/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "cupel/figures/facts.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/telemetry_summary.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report::html {
namespace {

using units::Unit;

using List = std::vector<std::pair<std::string, std::string>>;

// Empty where nothing is known: such facts are left out.
std::string size(std::int64_t bytes) { return bytes == 0 ? "" : units::format_size(bytes); }
std::string measure(const std::optional<double>& value, Unit unit) {
  return value.value_or(0) == 0 ? "" : units::format(*value, unit);
}

List calibration_facts(const record::Calibration& calibration) {
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
  const std::string low = units::format(*seen.low, unit), high = units::format(*seen.high, unit);
  return *seen.low == *seen.high ? low : low + " to " + high;
}

List telemetry_facts(const record::ResultSet& results) {
  const figures::TelemetrySummary seen = figures::telemetry_summary(results);
  if (seen.rows == 0) return {};
  const auto of_rows = [&](int count) { return fmt::format("{} of {} results", count, results.rows.size()); };
  List facts{{"SM clock", range_text(seen.sm_clock_hz, Unit::hertz)},
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
std::vector<List> facts_of(const record::ResultSet& results) {
  const record::Context& context = results.context;
  std::vector<List> all(names_of(figures::Subject{}).size());
  for (const figures::Fact& fact : figures::facts(context)) {
    if (fact.value) all[static_cast<std::size_t>(fact.subject)].emplace_back(fact.name, *fact.value);
  }
  all.push_back(context.calibration ? calibration_facts(*context.calibration) : List{});
  all.push_back(telemetry_facts(results));
  for (List& facts : all) std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return all;
}

std::vector<std::string> titles() {
  constexpr auto kSubjects = names_of(figures::Subject{});
  std::vector<std::string> all(kSubjects.begin(), kSubjects.end());
  all.insert(all.end(), {"What measuring costs", "While measuring"});
  return all;
}

// devices: what each knows of this part.
std::string part_rows(const std::vector<List>& devices) {
  std::vector<std::string> keys;  // in the order of the first that has them
  for (const List& facts : devices) {
    for (const auto& [key, value] : facts) units::add_once(keys, key);
  }
  std::string out;
  for (const std::string& key : keys) {
    std::string cells;
    std::set<std::string> values;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const auto fact = std::ranges::find(devices[i], key, &List::value_type::first);
      const std::string value = fact == devices[i].end() ? "not known" : fact->second;
      values.insert(value);
      cells += fmt::format("<td class=\"d{}\">{}</td>", i, safe(value, 300));
    }
    out += fmt::format("<tr><th scope=\"row\">{}{}</th>{}</tr>\n", safe(key),
                       values.size() > 1 ? " <span class=\"badge warn\">differs</span>" : "", cells);
  }
  return out;
}

}  // namespace

std::string environment_section(const std::vector<Device>& devices) {
  std::string head = "<thead><tr><th scope=\"col\"></th>";
  const std::vector<std::string> subjects = titles();
  std::vector<std::vector<List>> parts(subjects.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    head += fmt::format("<th scope=\"col\" class=\"d{}\">{}<small>{}</small></th>", i, safe(devices[i].label),
                        safe(devices[i].file));
    const std::vector<List> facts = facts_of(*devices[i].results);
    for (std::size_t part = 0; part < facts.size(); ++part) parts[part].push_back(facts[part]);
  }
  std::string out;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::string rows = part_rows(parts[part]);
    if (rows.empty()) continue;
    out += fmt::format(
        "<h3>{}</h3>\n<div class=\"scroll\"><table class=\"data "
        "facts\">{}</tr></thead>\n<tbody>{}</tbody></table></div>\n",
        subjects[part], head, rows);
  }
  return out;
}

}  // namespace cupel::report::html
