// The difference between two things that were measured in the same processes: one difference a process.
#pragma once

#include <optional>
#include <span>

#include "cupel/stats/interval.hpp"

namespace cupel::advice {

/// Centre of paired differences and its interval.
struct PairedShift {
  double estimate = 0;                      ///< Hodges-Lehmann: median of the averages of all pairs
  std::optional<stats::Interval> interval;  ///< nothing for a single difference
  bool exact = false;  ///< by ranks, for any symmetric distribution; else as if the differences were normal
};

/// Least number of differences for which an exact interval of that level exists: six for 95 %.
int least_for_exact(double level);

/// From least_for_exact(level) differences on: the exact interval of the signed-rank test. Below, where the widest one
/// there is (smallest to largest) has too low a level (three: 75 %): Student's interval, which has the level if the
/// differences are normal, widened to hold them all. Throws std::invalid_argument if there is no difference.
PairedShift paired_shift(std::span<const double> differences, double level = 0.95);

/// How many differences of this standard deviation bring the half-width of the interval below `distance`; nothing if
/// more than a thousand would be needed.
std::optional<int> differences_for(double deviation, double distance, double level = 0.95);

}  // namespace cupel::advice
