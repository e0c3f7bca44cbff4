// The host's clock: monotonic, in seconds.
#pragma once

#include <chrono>

namespace cupel::units {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace cupel::units
