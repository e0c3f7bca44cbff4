// From which batch on a larger one gives no more: what the benchmarks say that do the same work in batches of several
// sizes and tell the share of the time in which the GPU is busy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"

namespace cupel::advice {

/// A gain in samples a second up to this is none.
inline constexpr double kKneeGain = 0.05;

/// A GPU busy for less of the time is said to want larger batches.
inline constexpr double kLittleBusy = 0.80;

struct BatchSize {
  std::int64_t size = 0;
  double per_second = 0;  ///< samples
  double busy = 0;        ///< share of the time in which the GPU works
};

struct Knee {
  std::string operation;          ///< "step/batch"
  std::vector<BatchSize> sizes;   ///< at least two, smallest first
  std::size_t at = 0;             ///< the first of which no larger size gives more than kKneeGain
  std::optional<double> largest;  ///< batch whose buffers fit into memory
  /// The largest of which a step was taken, found by doubling until none could be: "step/batch/largest".
  struct Trained {
    double size = 0, per_second = 0;
  };
  std::optional<Trained> trained;

  /// Whether a larger size than that of the knee was measured: else it may lie further.
  bool reached() const { return at + 1 < sizes.size(); }
};

/// A knee for each operation whose benchmarks have a parameter `size` and the counter device_time: what the
/// device alone takes for the same.
std::vector<Knee> knees(std::span<const figures::Figure> figures);

/// Says from which batch on a larger one gives no more, how far larger ones were tried, and how busy the GPU is below
/// it.
std::string knee_text(const Knee& knee);

/// Says whether a GPU that is busy for less than kLittleBusy of the time tells that its batch is too small: "does not
/// hold: at 32 it is busy for 94 % of the time, and 128 do 1.22 times as many a second". Nothing where no batch is too
/// small and none leaves the GPU idle.
std::string sign_text(const Knee& knee);

}  // namespace cupel::advice
