// The bounds of the numbers that people measure and judge with. Flags, result files that are continued, journals and
// policies are held to these same numbers.
#pragma once

namespace cupel::record {

/// The least and the greatest value that is taken, both included.
struct Bounds {
  double least, most;

  /// Tells whether the value is within the bounds; never for NaN.
  bool contains(double value) const { return value >= least && value <= most; }
};

/// Bounds of flags and policies, by what they count or share.
inline constexpr Bounds kProcessBounds{1, 1000};
inline constexpr Bounds kScreenProcessBounds{3, 1000};  ///< processes of a gate's screen: below 3 no p reaches 5 %
inline constexpr Bounds kRoundBounds{1, 1000};
inline constexpr Bounds kSampleBounds{1, 1e6};
inline constexpr Bounds kNoiseGoalBounds{0, 1};
inline constexpr Bounds kWallBounds{0, 24 * 3600};  ///< seconds that a benchmark is sampled for
inline constexpr Bounds kDataByteBounds{1 << 20, 1e15};
inline constexpr Bounds kToleranceBounds{0.001, 0.5};  ///< shares: 0.9 was meant as percent

}  // namespace cupel::record
