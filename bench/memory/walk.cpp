#include "bench/memory/walk.hpp"

#include <algorithm>

namespace cupel::bench::memory {

Walk walk_around(std::int64_t bytes, std::int64_t l2_bytes) {
  constexpr std::int64_t kMostOfL1 = 256 << 10;  // the largest there is, with the shared memory it shares its room with
  constexpr std::int64_t kLapsOfL1 = 512;
  constexpr std::int64_t kSteps = 4096;  // half a millisecond and more: the launch is some thousandths of it

  const std::int64_t nodes = bytes / kLine;
  if (bytes <= std::min(kMostOfL1, l2_bytes)) return {kLapsOfL1 * nodes, false};
  if (bytes <= l2_bytes) return {(kSteps + nodes - 1) / nodes * nodes, false};
  return {kSteps, true};
}

}  // namespace cupel::bench::memory
