#include "cupel/record/seen_clock.hpp"

#include "cupel/stats/quantile.hpp"

namespace cupel::record {

void SeenClock::add(const Telemetry& telemetry) {
  if (!telemetry.sm_clock_hz || !(*telemetry.sm_clock_hz > 0)) return;
  told_ = told_ || telemetry.sm_clock_under_load.has_value();
  (telemetry.sm_clock_under_load.value_or(false) ? under_load_hz_ : others_hz_).push_back(*telemetry.sm_clock_hz);
}

std::optional<double> SeenClock::hz() const {
  const std::vector<double>& clocks_hz = under_load_hz_.empty() ? others_hz_ : under_load_hz_;
  if (clocks_hz.empty()) return std::nullopt;
  return stats::median(clocks_hz);
}

std::optional<bool> SeenClock::under_load() const {
  if (!told_) return std::nullopt;
  return !under_load_hz_.empty();
}

}  // namespace cupel::record
