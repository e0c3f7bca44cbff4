// A stream-ordered pool for a benchmark.
#pragma once

#include <cstdint>

#include "cupel/cuda/memory_pool.hpp"

namespace cupel::bench::memory {

using cuda::Keep;

class Pool : public cuda::MemoryPool {
 public:
  /// max_bytes: 0 for no cap; the driver rounds it up. Throws Skip where the device has no pools.
  explicit Pool(Keep keep, std::int64_t max_bytes = 0);
};

}  // namespace cupel::bench::memory
