#include "cupel/figures/seen_clock.hpp"

#include "cupel/record/telemetry.hpp"
#include "cupel/record/workload.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::figures {

void SeenClock::add(const record::Telemetry& telemetry) {
  if (!telemetry.sm_clock_hz || !(*telemetry.sm_clock_hz > 0)) return;
  told_ = told_ || telemetry.sm_clock_under_load.has_value();
  (telemetry.sm_clock_under_load.value_or(false) ? under_load_hz_ : others_hz_).push_back(*telemetry.sm_clock_hz);
}

std::optional<double> SeenClock::hz() const {
  return stats::median_if_any(under_load_hz_.empty() ? others_hz_ : under_load_hz_);
}

std::optional<bool> SeenClock::under_load() const {
  if (!told_) return std::nullopt;
  return !under_load_hz_.empty();
}

double SeenClock::share_of(const std::optional<record::Limit>& limit) const {
  if (!limit || !(limit->clock_hz.value_or(0) > 0) || !under_load().value_or(true)) return 1;
  const std::optional<double> seen_hz = hz();
  return seen_hz ? *seen_hz / *limit->clock_hz : 1;
}

}  // namespace cupel::figures
