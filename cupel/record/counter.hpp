// A number that a benchmark gives beside its time.
#pragma once

#include <string>

#include "cupel/record/names.hpp"

namespace cupel::record {

/// The name of a counter of host figures: time that threads of the process waited for a CPU, over the sampling time; of
/// other programs that a gate ran, over all the time of the process. Above kBusy the figure is of a busy machine.
inline constexpr const char* kCpuWait = "cpu_wait";
inline constexpr double kBusy = 0.05;

/// The direction of a counter that is better; `none` is shown and never judged.
enum class Better { lower, higher, none };
constexpr auto names_of(Better) { return std::array{"lower", "higher", "none"}; }

/// A counter: a number with its unit, and how two of them are compared.
struct Counter {
  double value = 0;
  std::string unit;  ///< "bytes", "count", "s", "1", ...
  Better better = Better::none;
  bool exact = false;  ///< deterministic: compared for equality, without statistics
  bool operator==(const Counter&) const = default;
};

}  // namespace cupel::record
