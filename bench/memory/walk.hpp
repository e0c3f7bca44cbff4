// How far one launch of a chase walks.
#pragma once

#include <cstdint>

namespace cupel::bench::memory {

inline constexpr std::int64_t kLine = 128;  // bytes of a cache's line: each load of a chase is of another one

/// The walk of one launch.
struct Walk {
  std::int64_t steps;
  /// The cache is flushed before it. Else it finds there what the launches before have left.
  bool cold;
};

/// A walk around a chain of `bytes` that each launch goes on with.
///
/// What the L2 holds is walked around as a whole, so that each load finds what a whole lap has left, and nothing else.
/// What L1 may hold is walked around 512 times: a launch empties L1, so that the first lap misses, which is some 250
/// cycles instead of 32 and so adds 1.5 %. A lap of what exceeds the L2 leaves nothing (64 MiB, 256 MiB and 1 GiB on an
/// H200 of 60 MiB: each load takes what it takes after a flush, docs/memory.md), and takes seconds: a part of a lap is
/// walked in a cold cache.
Walk walk_around(std::int64_t bytes, std::int64_t l2_bytes);

}  // namespace cupel::bench::memory
