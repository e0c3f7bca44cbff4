#include "bench/memory/plausible.hpp"

#include <gtest/gtest.h>

#include "cupel/harness/run.hpp"

namespace cupel::bench::memory {
namespace {

TEST(RequirePlausible, TakesABlockOfAtMostWhatIsFreeWhateverOthersDo) {
  EXPECT_NO_THROW(require_plausible(10, 10, 50, 50));
  EXPECT_NO_THROW(require_plausible(9, 10, 50, 70));
}

TEST(RequirePlausible, FailsALargerBlockAndSkipsItWhereOthersGaveMemoryBack) {
  EXPECT_THROW(require_plausible(11, 10, 50, 50), harness::CheckFailed);
  EXPECT_THROW(require_plausible(11, 10, 50, 40), harness::CheckFailed) << "what others took made no room";
  EXPECT_THROW(require_plausible(11, 10, 50, 51), harness::Skip);
}

}  // namespace
}  // namespace cupel::bench::memory
