#include "cupel/figures/telemetry_summary.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "cupel/figures/power_limit.hpp"
#include "cupel/record/record.hpp"

namespace cupel::figures {

void Extremes::add(const std::optional<double>& value) {
  if (!value) return;
  low = low ? std::min(*low, *value) : *value;
  high = high ? std::max(*high, *value) : *value;
}

TelemetrySummary telemetry_summary(const record::ResultSet& results) {
  TelemetrySummary summary;
  for (const record::Row& row : results.rows) {
    summary.disturbed += row.disturbed ? 1 : 0;
    if (!row.telemetry) continue;
    const record::Telemetry& seen = *row.telemetry;
    ++summary.rows;
    summary.sm_clock_hz.add(seen.sm_clock_hz);
    summary.memory_clock_hz.add(seen.memory_clock_hz);
    summary.power_w.add(seen.power_w);
    summary.temperature_c.add(seen.temperature_c);
    summary.says_how = summary.says_how || seen.sm_clock_under_load.has_value();
    summary.under_load += seen.sm_clock_under_load.value_or(false) ? 1 : 0;
    summary.unsettled += seen.settled ? 0 : 1;
    summary.shared += seen.foreign_processes.value_or(0) > 0 ? 1 : 0;
    for (const std::string& reason : seen.throttle_reasons) {
      if (reason != kPowerLimitReason) ++summary.throttled[reason];
    }
  }
  return summary;
}

std::string unsettled_text(const record::Row& row) {
  if (!row.telemetry || row.telemetry->settled) return "";
  const std::string what = fmt::format("{}", fmt::join(row.telemetry->unsettled, " and "));
  return what.empty() ? "not settled" : what + " not settled";
}

}  // namespace cupel::figures
