// The samples of a benchmark in one mode, as they were measured. Times are seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cupel/record/names.hpp"

namespace cupel::record {

/// The meaning of a time. cold: one launch, L2 flushed before it. hot: a batch back to back, divided by its length.
/// host: wall time on the host clock. sustained: back to back for so long that power and clock are steady.
enum class Mode { cold, hot, host, sustained };
constexpr auto names_of(Mode) { return std::array{"cold", "hot", "host", "sustained"}; }

/// The reason why sampling ended: the interval was narrow enough, the interval was narrower than the clock's tick, the
/// greatest number of samples was reached, the time was up, or the number was fixed beforehand.
enum class Stop { precision, tick, count, wall, fixed };
constexpr auto names_of(Stop) { return std::array{"precision", "tick", "count", "wall", "fixed"}; }

/// The engine of a device that does the work, and so what an event pair around it costs.
enum class Engine { kernel, copy };
constexpr auto names_of(Engine) { return std::array{"kernel", "copy"}; }

/// Samples of one mode, in order of measurement.
struct Series {
  Mode mode = Mode::host;
  std::optional<Engine> engine;   ///< the engine whose event floor is the correction; none: not timed by events
  std::vector<double> samples_s;  ///< as measured, for one call of the work
  /// The samples of each rank where ranks work together: [rank][sample]. A sample of samples_s is that of the slowest
  /// one.
  std::vector<std::vector<double>> samples_by_rank_s;
  double correction_s = 0;                ///< cost of measuring; samples_s[i] - correction_s is reported
  std::int64_t calls_per_sample = 1;      ///< calls that one sample averages over
  std::vector<std::int64_t> round_sizes;  ///< numbers of samples of the rounds, in order
  Stop stop = Stop::fixed;
  double resolution_s = 0;  ///< smallest difference the clock can show; 0 when unknown
  double floor_s = 0;       ///< time that measuring nothing takes; 0 when unknown

  /// Returns samples_s less the correction, never below zero.
  std::vector<double> corrected_s() const;
  bool operator==(const Series&) const = default;
};

}  // namespace cupel::record
