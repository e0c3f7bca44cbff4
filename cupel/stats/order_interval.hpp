// The step that turns an exact test into an exact interval.
#pragma once

#include <span>

#include "cupel/stats/interval.hpp"
#include "cupel/stats/null_distribution.hpp"

namespace cupel::stats {

/// Interval between the k-th smallest and the k-th largest of `ascending`, where the number of those above the truth is
/// distributed as `null`, symmetric, of greatest value ascending.size(). k is the greatest for which the level, 1 - 2
/// P(V < k), is at least `level`; 1 where there is none. Throws std::invalid_argument for a level outside (0, 1).
Interval order_interval(std::span<const double> ascending, const NullDistribution& null, double level);

}  // namespace cupel::stats
