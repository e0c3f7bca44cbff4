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

void hold_against_memory() {
  if (const auto limit = device::memory_peak(timing::this_device())) harness::set_limit(*limit);
}

}  // namespace cupel::bench::transfer
