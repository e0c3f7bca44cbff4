#include "cupel/harness/cpus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::harness {
namespace {

using testing::ElementsAre;

TEST(ThreadCounts, ArePowersOfTwoAndAllOfThem) {
  EXPECT_THAT(thread_counts(1), ElementsAre(1));
  EXPECT_THAT(thread_counts(2), ElementsAre(1, 2));
  EXPECT_THAT(thread_counts(6), ElementsAre(1, 2, 4, 6));
  EXPECT_THAT(thread_counts(8), ElementsAre(1, 2, 4, 8));
}

}  // namespace
}  // namespace cupel::harness
