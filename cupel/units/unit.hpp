// What a number means: its unit, how the unit is spelt in a record, and which direction of it is better.
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

enum class Better { lower, higher, none };

/// Spelling in a record: "s", "bytes", "bytes/s", "flop/s", "items/s", "count", "1", "W", "J", "Hz", "degC".
std::string_view symbol(Unit unit);

/// The unit of that spelling; nothing for a spelling that is not one of symbol()'s.
std::optional<Unit> unit_of(std::string_view symbol);

/// The direction that is better unless a benchmark says otherwise: less time and energy, more rate. The other units
/// have no direction of their own.
Better natural_direction(Unit unit);

}  // namespace cupel::units
