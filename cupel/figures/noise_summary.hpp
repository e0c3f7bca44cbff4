// The summary of how well the benchmarks of a run repeat, all of them together.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "cupel/figures/figure.hpp"

namespace cupel::figures {

/// Standard deviations from process to process, over many benchmarks: 0.01 is 1 %.
struct Spread {
  std::size_t benchmarks = 0;
  double median = 0, ninety_fifth = 0, greatest = 0;  ///< ninety_fifth: percentile
};

/// The summary of how well the benchmarks of a result repeat from process to process.
struct NoiseSummary {
  std::optional<Spread> all;          ///< nothing: no benchmark has two processes
  std::optional<Spread> long_device;  ///< device times over 10 us that did not meet the power limit by themselves
};

/// Summarises the noise of these figures; those without a time or with one process do not count.
NoiseSummary noise_summary(std::span<const Figure> figures);

}  // namespace cupel::figures
