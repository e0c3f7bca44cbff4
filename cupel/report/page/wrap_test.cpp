#include "cupel/report/page/wrap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::report {
namespace {

using testing::ElementsAre;

TEST(Wrapped, BreaksAtSpaces) {
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("a-long-word b", 4), ElementsAre("a-lo", "ng-w", "ord", "b"));
  EXPECT_THAT(wrapped("at family/operation/size:1", 17), ElementsAre("at", "family/operation/", "size:1"));
  EXPECT_THAT(wrapped("by:in_the_order", 12), ElementsAre("by:in_the_", "order"));
  EXPECT_THAT(wrapped("by:firstofall", 10), ElementsAre("by:", "firstofall"));
  EXPECT_THAT(wrapped("", 4), ElementsAre(""));
}

}  // namespace
}  // namespace cupel::report
