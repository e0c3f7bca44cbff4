// The times of the shortest works on the device at hand, so that the floor of a run is right there, too.
#pragma once

#include <optional>

#include "cupel/record/floor.hpp"
#include "cupel/runner/plan.hpp"

namespace cupel::runner {

/// Has a child process of the plan's first family that needs a device read them: CUPTI lengthens what it watches, so it
/// is in no process that measures. Nothing where no family needs a device, and where CUPTI or the device is not there:
/// the children then go by a table.
std::optional<record::ShortestWork> read_shortest_work(const Plan& plan);

}  // namespace cupel::runner
