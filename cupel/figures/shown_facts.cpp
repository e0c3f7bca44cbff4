#include "cupel/figures/shown_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cupel/figures/facts.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/telemetry_summary.hpp"
#include "cupel/record/record.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::figures {
namespace {

using units::Unit;

using Texts = decltype(ShownFacts::facts);

// Empty where nothing is known: such facts are left out.
std::string known_size(std::int64_t bytes) { return bytes == 0 ? "" : units::format_size(bytes); }
std::string known_measure(const std::optional<double>& value, Unit unit) {
  return value.value_or(0) == 0 ? "" : units::format(*value, unit);
}

Texts calibration_facts(const record::Calibration& calibration) {
  return {{"event pair around a kernel", known_measure(calibration.event_floor_kernel_s, Unit::seconds)},
          {"event pair around a copy", known_measure(calibration.event_floor_copy_s, Unit::seconds)},
          {"of which an empty kernel takes", known_measure(calibration.shortest_kernel_s, Unit::seconds)},
          {"and a copy of 4 bytes", known_measure(calibration.shortest_copy_s, Unit::seconds)},
          {"by", calibration.shortest_source},
          {"resolution of events", known_measure(calibration.event_resolution_s, Unit::seconds)},
          {"L2 is made cold by", calibration.flush},
          {"bytes for that", known_size(calibration.flush_bytes)},
          {"short kernels, one to the next", known_measure(calibration.launch_spacing_s, Unit::seconds)},
          {"on the slowest stream tried", known_measure(calibration.slowest_launch_spacing_s, Unit::seconds)}};
}

std::string range_text(const Extremes& seen, Unit unit) {
  if (!seen.low) return "";
  return units::range_text(units::format(*seen.low, unit), units::format(*seen.high, unit));
}

Texts telemetry_facts(const record::ResultSet& results) {
  const TelemetrySummary seen = telemetry_summary(results);
  if (seen.rows == 0) return {};
  const auto of_rows = [&](int count) { return fmt::format("{} of {} results", count, results.rows.size()); };
  Texts facts{{"SM clock", range_text(seen.sm_clock_hz, Unit::hertz)},
              {"SM clock read while the work ran",
               seen.says_how ? of_rows(seen.under_load) + ", else before and after it" : ""},
              {"memory clock", range_text(seen.memory_clock_hz, Unit::hertz)},
              {"highest power", range_text(seen.power_w, Unit::watts)},
              {"highest temperature", range_text(seen.temperature_c, Unit::celsius)},
              {"throttled, or the GPU shared", of_rows(seen.disturbed)},
              {"not settled", of_rows(seen.unsettled)},
              {"other processes on the GPU", of_rows(seen.shared)},
              {"at the power limit", power_limited_text(power_limited(results))}};
  for (const auto& [reason, count] : seen.throttled) facts.emplace_back("throttled: " + reason, of_rows(count));
  return facts;
}

}  // namespace

std::vector<ShownFacts> shown_facts(const record::ResultSet& results) {
  const record::Context& context = results.context;
  std::vector<ShownFacts> all;
  for (const char* subject : names_of(Subject{})) all.push_back({subject, {}});
  for (const Fact& fact : facts(context)) {
    if (fact.value) all[static_cast<std::size_t>(fact.subject)].facts.emplace_back(fact.name, *fact.value);
  }
  all.push_back({"What measuring costs", context.calibration ? calibration_facts(*context.calibration) : Texts{}});
  all.push_back({"While measuring", telemetry_facts(results)});
  for (ShownFacts& one : all) std::erase_if(one.facts, [](const auto& fact) { return fact.second.empty(); });
  return all;
}

}  // namespace cupel::figures
