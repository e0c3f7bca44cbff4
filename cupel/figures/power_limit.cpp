#include "cupel/figures/power_limit.hpp"

#include <algorithm>
#include <map>

#include "cupel/record/record.hpp"
#include "cupel/units/format.hpp"

namespace cupel::figures {
namespace {

double met_s(const record::Telemetry& telemetry) {
  const auto found = telemetry.throttle_s.find(kPowerLimitReason);
  return found == telemetry.throttle_s.end() ? 0 : found->second;
}

bool met(const record::Telemetry& telemetry) {
  return std::ranges::find(telemetry.throttle_reasons, kPowerLimitReason) != telemetry.throttle_reasons.end() ||
         met_s(telemetry) > 0;
}

}  // namespace

void PowerLimit::add(const record::Row& row) {
  if (!row.telemetry) return;
  ++known_;
  if (met(*row.telemetry)) ++met_;
}

std::optional<double> PowerLimit::share() const {
  if (known_ == 0) return std::nullopt;
  return static_cast<double>(met_) / known_;
}

PowerLimited power_limited(const record::ResultSet& results, const std::function<bool(const std::string&)>& keep) {
  PowerLimited counted;
  std::map<std::string, PowerLimit> by_name;
  for (const record::Row& row : results.rows) {
    if (row.status != record::Status::ok || !row.telemetry || (keep && !keep(row.name))) continue;
    by_name[row.name].add(row);
    counted.met_s += met_s(*row.telemetry);
    counted.wall_s += row.wall_s;
  }
  counted.benchmarks = static_cast<int>(by_name.size());
  counted.limited = static_cast<int>(
      std::ranges::count_if(by_name, [](const auto& benchmark) { return benchmark.second.by_itself(); }));
  return counted;
}

std::string power_limited_text(const PowerLimited& counted) {
  if (counted.limited == 0) return "";
  const int percent = (200 * counted.limited + counted.benchmarks) / (2 * counted.benchmarks);
  std::string text = (percent == 0 ? "Less than 1" : std::to_string(percent)) +
                     " % of the benchmarks ran at the power limit (" + std::to_string(counted.limited) + " of " +
                     std::to_string(counted.benchmarks);
  if (counted.met_s <= 0 || counted.wall_s <= 0) return text + ")";
  return text + "; " + units::format_duration(counted.met_s) + " of " + units::format_duration(counted.wall_s) +
         ", by the driver's counter)";
}

}  // namespace cupel::figures
