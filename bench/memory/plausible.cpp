#include "bench/memory/plausible.hpp"

#include <string>

#include "cupel/harness/run.hpp"

namespace cupel::bench::memory {

void require_plausible(std::int64_t largest, std::int64_t free, std::int64_t before, std::int64_t after) {
  if (largest <= free) return;
  if (after > before) harness::skip("other processes gave memory of the device back meanwhile");
  harness::require(false, "a block of " + std::to_string(largest) + " bytes is larger than what is free");
}

}  // namespace cupel::bench::memory
