#include "cupel/timing/rig.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::timing {
namespace {

TEST(ShortestWork, OfADeviceThatWasLookedAtNamesWhoLooked) {
  const record::ShortestWork hopper = shortest_work(9, 0);

  EXPECT_GT(hopper.kernel_s, 0);
  EXPECT_GT(hopper.copy_s, hopper.kernel_s);
  EXPECT_THAT(hopper.source, testing::HasSubstr("CUPTI"));
}

TEST(ShortestWork, IsSaidToBeAssumedWhereNobodyLooked) {
  EXPECT_THAT(shortest_work(7, 5).source, testing::StartsWith("assumed"));
  EXPECT_THAT(shortest_work(9, 1).source, testing::StartsWith("assumed"));
}

}  // namespace
}  // namespace cupel::timing
