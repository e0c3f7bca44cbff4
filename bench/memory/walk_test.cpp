#include "bench/memory/walk.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace cupel::bench::memory {
namespace {

constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB;
constexpr std::int64_t kL2 = 60 * kMiB;

TEST(Walk, ComesByAllOfWhatTheL2HoldsOneTimeOrMoreAndNeverByAPartOfALap) {
  for (std::int64_t bytes = 4 * kKiB; bytes <= kL2; bytes *= 2) {
    const Walk walk = walk_around(bytes, kL2);

    EXPECT_FALSE(walk.cold) << bytes;
    EXPECT_GE(walk.steps, bytes / kLine) << bytes;
    EXPECT_EQ(walk.steps % (bytes / kLine), 0) << bytes;
    EXPECT_GE(walk.steps, 4096) << bytes;
  }
  EXPECT_EQ(walk_around(kL2, kL2).steps, kL2 / kLine);
}

// The first lap of a launch misses L1: 282 cycles instead of 32.
TEST(Walk, HidesWhatALaunchCostsL1) {
  for (const std::int64_t bytes : {4 * kKiB, 16 * kKiB, 192 * kKiB, 256 * kKiB}) {
    const double laps = static_cast<double>(walk_around(bytes, kL2).steps) / static_cast<double>(bytes / kLine);

    EXPECT_LT((282 - 32) / laps, 0.02 * 32) << bytes;
  }
}

TEST(Walk, BeyondTheL2IsAPartOfALapInAColdCache) {
  for (const std::int64_t bytes : {kL2 + kLine, 64 * kMiB, 1024 * kMiB}) {
    const Walk walk = walk_around(bytes, kL2);

    EXPECT_TRUE(walk.cold) << bytes;
    EXPECT_LE(walk.steps, bytes / kLine) << bytes;
  }
}

}  // namespace
}  // namespace cupel::bench::memory
