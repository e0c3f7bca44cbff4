#include "cupel/units/unit.hpp"

#include <array>

namespace cupel::units {
namespace {

struct Spelling {
  std::string_view symbol;
  Unit unit;
};

constexpr std::array kSpellings{
    Spelling{"s", Unit::seconds},
    Spelling{"bytes", Unit::bytes},
    Spelling{"bytes/s", Unit::bytes_per_second},
    Spelling{"flop/s", Unit::flops_per_second},
    Spelling{"items/s", Unit::items_per_second},
    Spelling{"count", Unit::count},
    Spelling{"1", Unit::ratio},
    Spelling{"W", Unit::watts},
    Spelling{"J", Unit::joules},
    Spelling{"Hz", Unit::hertz},
    Spelling{"degC", Unit::celsius},
};

}  // namespace

std::optional<Unit> unit_of(std::string_view symbol) {
  for (const Spelling& spelling : kSpellings) {
    if (spelling.symbol == symbol) return spelling.unit;
  }
  return std::nullopt;
}

}  // namespace cupel::units
