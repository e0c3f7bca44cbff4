// Confidence intervals made of order statistics.
#pragma once

#include <cstddef>
#include <span>

#include "cupel/stats/null_distribution.hpp"

namespace cupel::stats {

/// A confidence interval and the level it really has. Exact intervals exist at few levels only: asked for 95 %, a
/// median of five gets 93.75 %, of seven 98.4 %.
struct Interval {
  double low = 0;
  double high = 0;
  double level = 0;

  /// Tells whether x lies in the interval, ends included.
  bool contains(double x) const { return low <= x && x <= high; }
};

/// The k-th smallest and the k-th largest of a sample, and the level of the interval between them.
struct OrderRank {
  std::size_t k = 1;
  double level = 0;
};

/// Returns the greatest k for which [k-th smallest, k-th largest] of `size` values has at least `level`, and the level
/// that it has, 1 - 2 P(V < k); k is 1 where none has. null: the distribution of V, the number of values above the
/// truth: symmetric, of greatest value `size`. Throws std::invalid_argument for a level outside (0, 1).
OrderRank order_rank(std::size_t size, const NullDistribution& null, double level);

/// Returns that interval of `ascending`.
Interval order_interval(std::span<const double> ascending, const NullDistribution& null, double level);

/// Returns an interval of the median whatever the distribution: the narrowest symmetric pair of order statistics whose
/// level is at least `level`; where none reaches it, smallest to largest, with the level that has. Throws
/// std::invalid_argument for an empty sample and a level outside (0, 1). Source: the sign test inverted; e.g. David and
/// Nagaraja (2003), "Order Statistics", section 7.1.
Interval median_interval(std::span<const double> sample, double level = 0.95);

}  // namespace cupel::stats
