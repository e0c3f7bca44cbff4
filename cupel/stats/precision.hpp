// The precision with which the samples taken so far tell their location: the stop rule's question.
#pragma once

#include <span>

namespace cupel::stats {

/// A location and the half-width of its confidence interval.
struct Precision {
  double location = 0;
  double half_width = 0;  ///< infinite where there are too few samples to tell
};

/// The number of batches that the samples are cut into. Ten keep the t quantile near the normal one (2.26 against 1.96)
/// and the batches long against the correlation of neighbours. Source: Schmeiser (1982), "Batch size effects in the
/// analysis of simulation output": more than 10 to 30 batches gain little.
inline constexpr int kBatches = 10;

/// Estimates the inter-quartile mean of samples in order of measurement, and its confidence interval from batch means,
/// so that correlation between neighbouring samples widens it as it should. Fewer than kBatches samples: infinite
/// half-width.
///
/// The samples are winsorised at their own quartiles, cut into kBatches contiguous batches as equal as can be, and the
/// spread of the batch means is that of the location times one half: winsorised values are the influence function of
/// the trimmed mean, so that batches of three samples serve, which could not be trimmed themselves. Source: Tukey and
/// McLaughlin (1963), with batch means in place of the winsorised variance.
///
/// The interval says nothing of the differences between processes.
Precision interquartile_mean_precision(std::span<const double> in_order, double level = 0.95);

}  // namespace cupel::stats
