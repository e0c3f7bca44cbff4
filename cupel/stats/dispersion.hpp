// The test of whether one of two samples lies farther out than the other: exact, whatever the distribution.
#pragma once

#include <span>

namespace cupel::stats {

/// Returns p, if both samples came from one distribution, of as many values of b as were seen lying farther from the
/// median of all than the values of a do: than all of them, or than all but one or two, so that a value of a that is
/// far off by itself does not hide what b does. At most that p, by Bonferroni over the three; a half of it is spent on
/// the first.
///
/// Exact for any distribution, so for heavy tails and for several levels: the median of all does not know which sample
/// a value is of, so that every way to deal the distances out is as likely. It asks whether b reaches farther out, not
/// whether it is at the far level more often. Throws std::invalid_argument if a sample is empty or holds a NaN.
/// Source: Rosenbaum (1953), "Tables for a nonparametric test of dispersion", of distances from a common median.
double p_farther_out(std::span<const double> a, std::span<const double> b);

}  // namespace cupel::stats
