// The rule by which work that goes on back to back has come to rest: power, clock and time no longer move.
#pragma once

#include <optional>
#include <span>

namespace cupel::timing {

/// The readings over a stretch of work back to back.
struct Stretch {
  double call_s = 0;               ///< mean time of one call
  std::optional<double> clock_hz;  ///< mean SM clock; absent: not seen
  std::optional<double> power_w;   ///< at its end; absent: not readable here
};

/// The seconds that a stretch lasts. An H200 at its power limit varies by 3 % within 0.25 s; a stretch covers two such
/// swings.
inline constexpr double kStretch_s = 0.5;

/// The number of stretches of kStretch_s that must be alike for work to count as steady.
inline constexpr int kStretchesAlike = 3;

/// Tells whether the last kStretchesAlike stretches lie within 1 % of each other in time and clock, and within 3 % in
/// power. What could not be read does not count.
bool is_steady(std::span<const Stretch> stretches);

}  // namespace cupel::timing
