// Quantiles of a sample, all of one definition.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace cupel::stats {

/// Returns the p-quantile of an ascending sample: linear interpolation between order statistics at 1 + (n - 1) p, the
/// default of R and NumPy. p is taken into [0, 1]. Throws std::invalid_argument if the sample is empty. Source: Hyndman
/// and Fan (1996), "Sample quantiles in statistical packages", definition 7.
double quantile_of_sorted(std::span<const double> ascending, double p);

/// Returns the p-quantile of the logarithms of an ascending sample, of which all values must be above 0.
double log_quantile_of_sorted(std::span<const double> ascending, double p);

/// Returns what quantile_of_sorted() does, of a sample in any order.
double quantile(std::span<const double> sample, double p);

/// Returns the middle of the sample; of an even count, the mean of the middle two. Throws std::invalid_argument if it
/// is empty.
double median(std::span<const double> sample);

/// Returns the median; nothing of an empty sample.
std::optional<double> median_if_any(std::span<const double> sample);

/// Throws std::invalid_argument if a value is not a number: it has no place in an order.
void require_numbers(std::span<const double> sample);

/// Returns an ascending copy. Throws std::invalid_argument if a value is not a number: it has no place in an order.
std::vector<double> sorted(std::span<const double> sample);

}  // namespace cupel::stats
