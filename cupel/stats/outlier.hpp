// The search for values that lie apart: they are found, never removed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cupel::stats {

/// Returns the critical values of the generalised extreme studentised deviate test for a sample of n, for up to n / 4
/// outliers (one at least): with these, a normal sample without any has one flagged with probability alpha. Among fewer
/// than three values none can be told apart, and none are given. Throws std::invalid_argument if alpha is not in (0,
/// 1). Source: Rosner (1983), "Percentage points for a generalized ESD many-outlier procedure", equation 2.5.
std::vector<double> outlier_critical(std::size_t n, double alpha);

/// The distance of a value from the others, and whether it is an outlier.
struct Apart {
  double z = 0;  ///< signed distance from the mean of those that are no outliers, in their sd; infinite if that is 0
  bool outlier = false;
};

/// Judges each value, in order. critical: of outlier_critical() for as many values. Outliers do not hide each other:
/// the extreme value is taken away before the next is looked at. Throws std::invalid_argument if the sample is empty.
std::vector<Apart> outliers(std::span<const double> sample, std::span<const double> critical);

}  // namespace cupel::stats
