// How large a difference matters, as advise, calibrate, compare and gate are told.
#pragma once

#include <string>

#include "cupel/record/bounds.hpp"

namespace cupel::cli {

/// What --tolerance and --target take: 0.01 was meant as a share, and 90 as anything but a tolerance.
inline constexpr double kLeastPercent = 100 * record::kToleranceBounds.least;
inline constexpr double kMostPercent = 100 * record::kToleranceBounds.most;

/// Shares. Throws UsageError where no row could ever be called SAME: what is not SLOWER by the tolerance may differ by
/// the target. `where`: of which rows, such as " for '^host/'".
void require_room_for_same(double tolerance, double target, const std::string& where = "");

}  // namespace cupel::cli
