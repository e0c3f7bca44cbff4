#include "cupel/units/unit.hpp"

#include <algorithm>
#include <array>

namespace cupel::units {
namespace {

// The symbols of all units, in their order.
constexpr std::array<std::string_view, 11> kSymbols{"s", "bytes", "bytes/s", "flop/s", "items/s", "count",
                                                    "1", "W",     "J",       "Hz",     "degC"};

}  // namespace

std::optional<Unit> unit_of(std::string_view symbol) {
  const auto found = std::ranges::find(kSymbols, symbol);
  return found == kSymbols.end() ? std::nullopt : std::optional(static_cast<Unit>(found - kSymbols.begin()));
}

}  // namespace cupel::units
