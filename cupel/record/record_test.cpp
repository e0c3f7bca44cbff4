#include "cupel/record/workload.hpp"

#include <gtest/gtest.h>

namespace cupel::record {
namespace {

TEST(Workload, HasAnAmountOfEachQuantityAndNoneOfAnyOther) {
  const Workload work{.bytes_read = 1, .bytes_written = 20, .bytes_moved = 300, .flops = 4000, .items = 50000};

  EXPECT_EQ(work.amount("bytes"), 321);
  EXPECT_EQ(work.amount("flops"), 4000);
  EXPECT_EQ(work.amount("items"), 50000);
  EXPECT_EQ(work.amount("lines"), 0);
  EXPECT_EQ(work.amount(""), 0);
}

}  // namespace
}  // namespace cupel::record
