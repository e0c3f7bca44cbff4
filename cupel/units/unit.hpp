// What a number means: its unit, and how the unit is spelt in a record.
#pragma once

#include <optional>
#include <string_view>

namespace cupel::units {

/// Units of stored values. Stored values are never scaled: seconds, not microseconds; bytes, not KiB.
enum class Unit {
  seconds,
  bytes,
  bytes_per_second,
  flops_per_second,
  items_per_second,
  count,
  ratio,
  watts,
  joules,
  hertz,
  celsius,
};

/// The unit that a record spells so: "s", "bytes", "bytes/s", "flop/s", "items/s", "count", "1", "W", "J", "Hz",
/// "degC". Nothing for another spelling.
std::optional<Unit> unit_of(std::string_view symbol);

}  // namespace cupel::units
