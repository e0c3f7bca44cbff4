#include "cupel/timing/limits.hpp"

#include <algorithm>
#include <optional>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/this_device.hpp"

namespace cupel::timing {
namespace {

bool set_if_known(const std::optional<record::Limit>& limit) {
  if (limit) harness::set_limit(*limit);
  return limit.has_value();
}

}  // namespace

void set_link_limit(int directions) {
  std::optional<record::Limit> limit = device::pcie_peak(this_device());
  if (!limit) return;
  if (directions > 1) limit->name += ", both directions";
  limit->per_second *= directions;
  harness::set_limit(*limit);
}

bool set_memory_limit(std::int64_t array_bytes) {
  return set_if_known(device::memory_peak(this_device(), array_bytes));
}

bool set_memory_limit(const record::Workload& cold_call) {
  return set_if_known(device::memory_peak(this_device(), cold_call));
}

void set_roof_limit(device::Arithmetic arithmetic, const record::Workload& work) {
  set_if_known(device::roof(this_device(), arithmetic, work));
}

void require_arithmetic(const std::string& precision, device::Arithmetic arithmetic) {
  const std::string reason = device::lacking(precision, arithmetic, this_device());
  if (!reason.empty()) throw cuda::NotSupported(reason);
}

void count_intensity(const record::Workload& work) {
  const auto operations = static_cast<double>(std::max(work.flops, work.items));
  harness::set_counter("arithmetic_intensity",
                       {.value = operations / static_cast<double>(work.bytes()), .unit = "flop/byte", .exact = true});
}

}  // namespace cupel::timing
