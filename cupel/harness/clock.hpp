// The host's clock: monotonic, in seconds.
#pragma once

#include <chrono>

namespace cupel::harness {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What one reading costs, measured once: the least of many.
double clock_cost_s();

}  // namespace cupel::harness
