#include "cupel/units/unit.hpp"

#include <array>
#include <cstddef>

namespace cupel::units {
namespace {

struct Description {
  Unit unit;
  std::string_view symbol;
  Better better;
};

constexpr std::array<Description, 11> kUnits{{
    {Unit::seconds, "s", Better::lower},
    {Unit::bytes, "bytes", Better::none},
    {Unit::bytes_per_second, "bytes/s", Better::higher},
    {Unit::flops_per_second, "flop/s", Better::higher},
    {Unit::items_per_second, "items/s", Better::higher},
    {Unit::count, "count", Better::none},
    {Unit::ratio, "1", Better::none},
    {Unit::watts, "W", Better::none},
    {Unit::joules, "J", Better::lower},
    {Unit::hertz, "Hz", Better::none},
    {Unit::celsius, "degC", Better::none},
}};

// The table is read by index: its order must be the enumeration's.
constexpr bool in_order() {
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    if (static_cast<std::size_t>(kUnits[i].unit) != i) return false;
  }
  return true;
}
static_assert(in_order());

const Description& description(Unit unit) { return kUnits[static_cast<std::size_t>(unit)]; }

}  // namespace

std::string_view symbol(Unit unit) { return description(unit).symbol; }

std::optional<Unit> unit_of(std::string_view symbol) {
  for (const Description& candidate : kUnits) {
    if (candidate.symbol == symbol) return candidate.unit;
  }
  return std::nullopt;
}

Better natural_direction(Unit unit) { return description(unit).better; }

}  // namespace cupel::units
