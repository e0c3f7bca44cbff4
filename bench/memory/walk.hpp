// How far one launch of a chase walks.
#pragma once

#include <cstdint>

namespace cupel::bench::memory {

inline constexpr std::int64_t kLine = 128;  // bytes of a cache's line: each load of a chase is of another one

/// Of one launch, which goes on where the one before stopped.
struct Walk {
  std::int64_t steps;
  /// The chain exceeds the cache: what making it left there has to go first.
  bool from_memory;
};

/// A walk around a chain of `bytes`.
///
/// What the L2 holds is walked around as a whole, so that each load finds what a whole lap has left, and nothing else.
/// What L1 may hold is walked around 512 times: a launch empties L1, so that the first lap misses, which is some 250
/// cycles instead of 32 and so adds 1.5 %. Of what exceeds the L2 a lap leaves nothing (64 MiB, 256 MiB and 1 GiB on an
/// H200 of 60 MiB: each load takes what it takes after a flush, docs/memory.md), and takes seconds: a part of it is
/// walked, each line for the first time. The cache is not flushed before each launch: 4096 steps in 1 GiB took 4 %
/// longer so, by all signs because the translations of their addresses came anew.
Walk walk_around(std::int64_t bytes, std::int64_t l2_bytes);

}  // namespace cupel::bench::memory
