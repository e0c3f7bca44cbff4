// The location of a sample and its width, in ways that a few wild values do not move.
#pragma once

#include <span>
#include <vector>

namespace cupel::stats {

/// Returns the mean of the middle half. Where a quarter of n is not whole, the values at the edge of the half count by
/// the part of them that lies in it, so that no value enters or leaves at once as n grows.
///
/// Robust to fewer than 25 % outliers on a side, and more efficient than the median: its variance on normal samples is
/// 1.19 / n against 1.57 / n. It does not stick to the grid of a coarse clock as the median does.
/// Throws std::invalid_argument if the sample is empty or holds a NaN.
/// Source: Tukey (1962), "The future of data analysis" (trimmed means); the fraction rule is Stigler's (1977).
double interquartile_mean(std::span<const double> sample);

/// Returns interquartile_mean() of an ascending sample. Precondition: sorted, without NaN; not checked. Throws
/// std::invalid_argument if it is empty.
double interquartile_mean_of_sorted(std::span<const double> ascending);

/// Returns the median of the distances from the median, not scaled; 1.4826 times it estimates the sd of a normal
/// sample. Throws std::invalid_argument if the sample is empty or holds a NaN.
double median_absolute_deviation(std::span<const double> sample);

/// The factor from a median absolute deviation to a normal standard deviation: 1 / Phi^-1(3/4).
inline constexpr double kNormalMad = 1.482602218505602;

/// Returns the geometric mean. Throws std::invalid_argument if the sample is empty or a value is not a positive finite
/// number.
double geometric_mean(std::span<const double> sample);

/// Returns the arithmetic mean. Throws std::invalid_argument if the sample is empty.
double mean(std::span<const double> sample);

/// A value of known standard deviation. Precondition of its users: sd > 0.
struct Uncertain {
  double value = 0, sd = 1;
};

/// Returns Huber's mean, weighted by inverse variance: a value beyond 1.345 sd counts as if at 1.345 sd, so that a few
/// wild ones do little. For normal values its variance is 1.05 times the mean's. Throws std::invalid_argument if the
/// sample is empty. Source: Huber (1964), "Robust estimation of a location parameter".
double huber_mean(std::span<const Uncertain> sample);

/// Returns the sum of the squares of the distances from the mean. Throws std::invalid_argument if the sample is empty.
double squared_deviations(std::span<const double> sample);

/// Returns the square root of the unbiased variance (n - 1). Throws std::invalid_argument for fewer than two values.
double standard_deviation(std::span<const double> sample);

/// Returns the pooled standard deviation of several groups about their own means, weighted by their degrees of freedom:
/// the noise between processes from several A/A runs. Groups of fewer than two values add nothing; 0 if there is no
/// other.
double pooled_standard_deviation(std::span<const std::span<const double>> groups);

/// Tells whether there are values, all of them finite and above 0.
bool are_positive(std::span<const double> sample);

/// Returns the natural logarithms. Throws std::invalid_argument if a value is not a positive finite number.
std::vector<double> logarithms(std::span<const double> sample);

}  // namespace cupel::stats
