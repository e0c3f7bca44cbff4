#include "cupel/device/telemetry.hpp"

#include <algorithm>

#include "cupel/record/faults.hpp"
#include "cupel/record/telemetry.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::nvml {
namespace {

void keep_larger(std::optional<double>& kept, const std::optional<double>& value) {
  if (value) kept = std::max(kept.value_or(*value), *value);
}

Reading read_what_is_cheap(const Device& device) {
  Reading reading;
  reading.sm_clock_hz = device.clock_hz(ClockDomain::sm);
  reading.memory_clock_hz = device.clock_hz(ClockDomain::memory);
  reading.power_w = device.power_w();
  reading.temperature_c = device.temperature_c();
  reading.reasons = device.event_reasons();
  reading.throttle_s = device.throttle_s();
  return reading;
}

}  // namespace

Reading read(const Device& device) {
  Reading reading = read_what_is_cheap(device);
  reading.energy_j = device.energy_j();
  reading.process_ids = device.process_ids();
  return reading;
}

Reading Reader::read(std::chrono::steady_clock::time_point now) {
  constexpr std::chrono::milliseconds kAskedEvery{100};
  Reading reading = read_what_is_cheap(*device_);
  if (reads_energy_) reading.energy_j = device_->energy_j();
  if (!asked_ || now - *asked_ >= kAskedEvery) {
    process_ids_ = device_->process_ids();
    asked_ = now;
  }
  reading.process_ids = process_ids_;
  return reading;
}

std::optional<int> foreign_processes(const std::optional<std::vector<unsigned>>& ids, unsigned own_id,
                                     bool own_context) {
  if (!ids) return std::nullopt;
  const int count = static_cast<int>(ids->size());
  const bool listed = std::find(ids->begin(), ids->end(), own_id) != ids->end();
  if (!listed && !own_context) return count;
  if (count == 0) return std::nullopt;
  return count - 1;
}

void TelemetryLog::see(const Reading& reading) {
  if (reading.sm_clock_hz) sm_clocks_hz_.push_back(*reading.sm_clock_hz);
  if (reading.memory_clock_hz) memory_clocks_hz_.push_back(*reading.memory_clock_hz);
  keep_larger(power_w_, reading.power_w);
  keep_larger(temperature_c_, reading.temperature_c);
  reasons_ |= reading.reasons.value_or(0);
  if (const auto foreign = foreign_processes(reading.process_ids, own_id_, own_context_)) {
    foreign_ = std::max(foreign_.value_or(0), *foreign);
  }
}

void TelemetryLog::add(const Reading& before, const Reading& after) {
  see(before);
  see(after);
  if (before.energy_j && after.energy_j && *after.energy_j >= *before.energy_j) {
    energy_j_ = energy_j_.value_or(0) + *after.energy_j - *before.energy_j;
  }
  if (!before.throttle_s || !after.throttle_s) return;
  for (const auto& [reason, end_s] : *after.throttle_s) {
    const auto start = before.throttle_s->find(reason);
    if (start != before.throttle_s->end() && end_s >= start->second) throttle_s_[reason] += end_s - start->second;
  }
}

void TelemetryLog::add_sm_clock(double hz) { sm_clocks_hz_.push_back(hz); }

void TelemetryLog::add_sm_clock_under_load(double hz) { sm_clocks_under_load_hz_.push_back(hz); }

void TelemetryLog::fill(record::Telemetry& telemetry) const {
  telemetry.sm_clock_hz =
      stats::median_if_any(sm_clocks_under_load_hz_.empty() ? sm_clocks_hz_ : sm_clocks_under_load_hz_);
  telemetry.sm_clock_under_load = std::nullopt;
  if (telemetry.sm_clock_hz) telemetry.sm_clock_under_load = !sm_clocks_under_load_hz_.empty();
  telemetry.sm_clock_min_hz = std::nullopt;
  for (const auto* clocks_hz : {&sm_clocks_hz_, &sm_clocks_under_load_hz_}) {
    for (const double hz : *clocks_hz) {
      telemetry.sm_clock_min_hz = std::min(hz, telemetry.sm_clock_min_hz.value_or(hz));
    }
  }
  telemetry.memory_clock_hz = stats::median_if_any(memory_clocks_hz_);
  telemetry.power_w = power_w_;
  telemetry.energy_j = energy_j_;
  telemetry.temperature_c = temperature_c_;
  telemetry.throttle_reasons = reason_names(reasons_);
  telemetry.throttle_s = throttle_s_;
  telemetry.foreign_processes = foreign_;
}

bool disturbed(const record::Telemetry& telemetry) {
  const auto& reasons = telemetry.throttle_reasons;
  if (std::any_of(reasons.begin(), reasons.end(), record::is_throttling)) return true;
  for (const auto& [reason, time_s] : telemetry.throttle_s) {
    if (record::is_throttling(reason) && time_s > 0) return true;
  }
  return telemetry.foreign_processes.value_or(0) > 0;
}

}  // namespace cupel::nvml
