// The host's clock and what reading it costs.
#pragma once

#include "cupel/units/clock.hpp"

namespace cupel::harness {

/// The host's clock and the seconds since a reading of it, by the names of this room.
using units::Clock;
using units::seconds_since;

/// Returns the seconds that one reading costs, measured once: the least of many.
double clock_cost_s();

}  // namespace cupel::harness
