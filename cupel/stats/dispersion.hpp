// The test of whether one of two samples lies farther out than the other: exact, whatever the distribution.
#pragma once

#include <span>

namespace cupel::stats {

/// Returns the p value of the number of values of b that lie farther from the pooled median than every value of a. The
/// test is repeated without a's farthest one and two values, so that a single far value of a does not hide b's;
/// Bonferroni: half of the level for the first test, a quarter for each other.
///
/// Exact for any distribution, so for heavy tails and for several levels: the median of all does not know which sample
/// a value is of, so that every way to deal the distances out is as likely. It asks whether b reaches farther out, not
/// whether it is at the far level more often. 1 if one of the samples is empty. Throws std::invalid_argument if both
/// are, or for a NaN. Source: Rosenbaum (1953), "Tables for a nonparametric test of dispersion", of distances from a
/// common median.
double p_farther_out(std::span<const double> a, std::span<const double> b);

}  // namespace cupel::stats
