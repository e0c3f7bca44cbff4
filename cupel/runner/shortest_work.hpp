// What the shortest works take on the device at hand, so that the floor of a run is right there, too.
#pragma once

#include <optional>

#include "cupel/runner/plan.hpp"

namespace cupel::runner {

/// Seconds, by CUPTI.
struct ShortestWork {
  double kernel_s = 0;  ///< an empty kernel
  double copy_s = 0;    ///< a copy of 4 bytes to the host
};

/// Has a child process of the plan's first family that needs a device read them: CUPTI lengthens what it watches, so it
/// is in no process that measures. Nothing where no family needs a device, and where CUPTI or the device is not there:
/// the children then go by a table.
std::optional<ShortestWork> read_shortest_work(const Plan& plan);

}  // namespace cupel::runner
