#include "cupel/timing/limits.hpp"

#include <algorithm>
#include <optional>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/this_device.hpp"

namespace cupel::timing {
namespace {

bool hold_against(const std::optional<record::Limit>& limit) {
  if (limit) harness::set_limit(*limit);
  return limit.has_value();
}

}  // namespace

void hold_against_link(int directions) {
  std::optional<record::Limit> limit = device::pcie_peak(this_device());
  if (!limit) return;
  if (directions > 1) limit->name += ", both directions";
  limit->per_second *= directions;
  harness::set_limit(*limit);
}

bool hold_against_memory(std::int64_t array_bytes) {
  return hold_against(device::memory_peak(this_device(), array_bytes));
}

bool hold_against_memory(const record::Workload& cold_call) {
  return hold_against(device::memory_peak(this_device(), cold_call));
}

void hold_against_roof(device::Arithmetic arithmetic, const record::Workload& work) {
  hold_against(device::roof(this_device(), arithmetic, work));
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
