// Do samples in order of measurement hang together, or drift?
#pragma once

#include <span>

namespace cupel::stats {

/// Correlation of each value with its successor: sum of products of neighbouring deviations over the sum of squares.
/// 0 for fewer than three values and for equal ones.
/// Source: Box and Jenkins (1976), equation 2.1.12, at lag 1.
double lag1_autocorrelation(std::span<const double> in_order);

struct Trend {
  double slope = 0;        ///< median of the slopes of all pairs: change from one value to the next
  double tau = 0;          ///< pairs rising less pairs falling, over all pairs; ties count for neither
  double p_two_sided = 1;  ///< if the order did not matter
};

/// Does the sample drift? Exact p without ties up to 50 values, else normal with the ties' variance and continuity
/// correction. Neighbours that correlate make p too small: a drifting clock is what that looks like. Time n^2 log n:
/// keep to some thousands of values. Fewer than two values: no trend. Source: Mann (1945), Kendall (1938); slope: Theil
/// (1950), Sen (1968).
Trend trend(std::span<const double> in_order);

}  // namespace cupel::stats
