#include "bench/collective/shares.hpp"

#include <gtest/gtest.h>

namespace cupel::bench::collective {
namespace {

// 1000 parameters on 4 GPUs: 16, 4 + 4 + 2, 4 + 1 + 2 and 1 + 1 + 2 bytes each.
TEST(HeldBytes, ShrinkByWhatIsShared) {
  EXPECT_EQ(held_bytes(Way::ddp, 1000, 4), 16'000);
  EXPECT_EQ(held_bytes(Way::zero1, 1000, 4), 10'000);
  EXPECT_EQ(held_bytes(Way::zero2, 1000, 4), 7'000);
  EXPECT_EQ(held_bytes(Way::zero3, 1000, 4), 4'000);
}

TEST(HeldBytes, OfOneGpuAreTheSameWhateverTheWay) {
  for (const Way way : {Way::ddp, Way::zero1, Way::zero2, Way::zero3}) EXPECT_EQ(held_bytes(way, 7, 1), 112);
}

}  // namespace
}  // namespace cupel::bench::collective
