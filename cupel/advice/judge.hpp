// The verdict of one point: pays, harms, no difference, or undecided.
#pragma once

#include <vector>

#include "cupel/advice/advice.hpp"

namespace cupel::advice {

/// Sets the gain and the verdict of a point, and of one that is undecided how many processes would decide it. shifts:
/// the logarithm of the gain in each process, at least one.
void judge(AdvicePoint& point, const std::vector<double>& shifts, const AdviceOptions& options);

}  // namespace cupel::advice
