// The size of a difference: Hodges and Lehmann's shift with its exact interval. On logarithms of times a shift is a
// ratio.
#pragma once

#include <cmath>
#include <span>

#include "cupel/stats/interval.hpp"

namespace cupel::stats {

/// A shift of a sample, with its interval, in the sample's unit.
struct Shift {
  double estimate = 0;
  Interval interval;

  /// Returns e^estimate, for shifts of natural logarithms. Swapping the sides gives the reciprocal.
  double ratio() const { return std::exp(estimate); }
  /// Returns e^interval, likewise.
  Interval ratio_interval() const { return {std::exp(interval.low), std::exp(interval.high), interval.level}; }
};

/// Estimates the shift of b against a, two independent samples: the median of all differences b_j - a_i. The interval
/// holds between two of their order statistics, chosen by the exact distribution of U so that its level is at least
/// `level` if any is; it says which level it has. Exact if b is distributed as a moved by the shift; ties can only
/// raise the level. Above kExactPairs pairs the order statistics are chosen by the normal approximation. Throws
/// std::invalid_argument if a sample is empty or holds a NaN, or level is outside (0, 1). Source: Hodges and Lehmann
/// (1963); interval: Moses (1953), in Hollander and Wolfe, section 4.3.
Shift hodges_lehmann(std::span<const double> a, std::span<const double> b, double level = 0.95);

/// Estimates the centre of one sample of differences (before and after of one process): the median of the averages of
/// all pairs, each value with itself included. Its interval inverts Wilcoxon's signed-rank test: exact if the
/// differences are symmetric about their centre, which the difference of two runs of one distribution is. At most 200
/// values, then the order statistics are chosen by the normal approximation. Throws std::invalid_argument if the sample
/// is empty or holds a NaN, or level is outside (0, 1). Source: Hodges and Lehmann (1963); interval: Tukey (1949), in
/// Hollander and Wolfe, section 3.3.
Shift hodges_lehmann(std::span<const double> differences, double level = 0.95);

}  // namespace cupel::stats
