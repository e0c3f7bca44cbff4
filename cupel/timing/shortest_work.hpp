// What the shortest works take by the device's own account: what is left of an event pair around them is its cost.
#pragma once

#include <optional>
#include <string>

namespace cupel::timing {

struct ShortestWork {
  double kernel_s = 0;  ///< an empty kernel
  double copy_s = 0;    ///< a primed copy of 4 bytes to the host
  std::string source;   ///< who says so
};

/// What CUPTI once showed on devices of that compute capability, or, where nobody has looked, what is assumed.
/// `cupel run` has CUPTI look on the device at hand, where it is installed, and that goes before this table.
ShortestWork shortest_work(int compute_major, int compute_minor);

}  // namespace cupel::timing
