// The words and exit codes by which a benchmark executable speaks to whoever started it, beside its journal.
#pragma once

namespace cupel::record {

/// The prefix of a line of a child's stderr that `cupel run` shows at once: progress of long work, "meanwhile: making
/// the data: 12 %".
inline constexpr const char* kMeanwhile = "meanwhile: ";

/// The exit codes of a benchmark executable, for the program that started it.
enum ChildExit : int {
  kChildDone = 0,
  kChildUsage = 2,         ///< it was asked for what there is not, as a device; stderr says what
  kChildNoDevice = 3,      ///< nothing could be measured for lack of a device; the rows say so
  kChildFailed = 4,        ///< a benchmark failed; the rows say which
  kChildNothingRan = 5,    ///< it has no benchmark of those that were asked for
  kChildDeviceLost = 71,   ///< the device is beyond use in that process; the rest must run in a fresh one
  kChildOutOfTime = 72,    ///< the time that it was given was too short; the rows say what was cut short
  kChildInterrupted = 130  ///< a signal asked it to end
};

}  // namespace cupel::record
