#include "bench/collective/bus.hpp"

#include <gtest/gtest.h>

namespace cupel::bench::collective {
namespace {

// The factors of nccl-tests, doc/PERFORMANCE.md, at 8 ranks: 2 x 7/8, 7/8, 7/8, 1, 7/8.
TEST(BusBytes, AreThoseOfNcclTests) {
  constexpr std::int64_t kBytes = 800;

  EXPECT_EQ(bus_bytes(Operation::all_reduce, kBytes, 8), 1400);
  EXPECT_EQ(bus_bytes(Operation::reduce_scatter, kBytes, 8), 700);
  EXPECT_EQ(bus_bytes(Operation::all_gather, kBytes, 8), 700);
  EXPECT_EQ(bus_bytes(Operation::broadcast, kBytes, 8), 800);
  EXPECT_EQ(bus_bytes(Operation::all_to_all, kBytes, 8), 700);
}

TEST(BusBytes, OfTwoRanksAllReduceIsTheSize) { EXPECT_EQ(bus_bytes(Operation::all_reduce, 1 << 20, 2), 1 << 20); }

TEST(PartCount, IsTheSizeDividedAndNeverNone) {
  EXPECT_EQ(part_count(1 << 20, 2), 1 << 17);
  EXPECT_EQ(part_count(8, 8), 1);
}

}  // namespace
}  // namespace cupel::bench::collective
