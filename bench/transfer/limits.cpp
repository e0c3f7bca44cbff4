#include "bench/transfer/limits.hpp"

#include <optional>

#include "cupel/device/peaks.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/this_device.hpp"

namespace cupel::bench::transfer {

void hold_against_link(int directions) {
  std::optional<record::Limit> limit = device::pcie_peak(timing::this_device());
  if (!limit) return;
  if (directions > 1) limit->name += ", both directions";
  limit->per_second *= directions;
  harness::set_limit(*limit);
}

bool hold_against_memory(std::int64_t array_bytes) {
  const auto limit = device::memory_peak(timing::this_device(), array_bytes);
  if (limit) harness::set_limit(*limit);
  return limit.has_value();
}

}  // namespace cupel::bench::transfer
