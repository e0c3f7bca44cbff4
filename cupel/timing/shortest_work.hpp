// What the shortest works take on devices that were looked at before.
#pragma once

#include "cupel/record/floor.hpp"

namespace cupel::timing {

/// What CUPTI once showed on devices of that compute capability, or, where nobody has looked, what is assumed.
/// `cupel run` has CUPTI look on the device at hand, where it is installed, and that goes before this table.
record::ShortestWork shortest_work(int compute_major, int compute_minor);

}  // namespace cupel::timing
