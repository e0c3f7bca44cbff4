#include "bench/collective/patience.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::bench::collective {
namespace {

// A clock that advances by a second at each look at it, and ranks that are done at the given look.
struct Faked {
  int looks = 0, aborts = 0;
  double now_s = 0;
  std::string outcome;

  void wait(int done_at, std::optional<std::string> error_at_third = std::nullopt) {
    const auto look = [&]() -> Look {
      ++looks;
      return {looks >= done_at, looks == 3 ? error_at_third : std::nullopt};
    };
    try {
      wait_or_abort(
          look, [&] { ++aborts; }, 10, [&] { return now_s += 1; });
    } catch (const CollectiveFailed& failed) {
      outcome = failed.what();
    }
  }
};

TEST(WaitOrAbort, ComesBackWhenAllRanksAreDone) {
  Faked ranks;

  ranks.wait(5);

  EXPECT_EQ(ranks.looks, 5);
  EXPECT_EQ(ranks.aborts, 0);
  EXPECT_EQ(ranks.outcome, "");
}

TEST(WaitOrAbort, EndsRanksThatHang) {
  Faked ranks;

  ranks.wait(1000);

  EXPECT_EQ(ranks.aborts, 1);
  EXPECT_EQ(ranks.outcome, "the ranks were not done within 10 s, and were ended");
  EXPECT_LT(ranks.looks, 20);
}

TEST(WaitOrAbort, EndsAllRanksOnceOneMeetsAnError) {
  Faked ranks;

  ranks.wait(1000, "unhandled cuda error");

  EXPECT_EQ(ranks.looks, 3);
  EXPECT_EQ(ranks.aborts, 1);
  EXPECT_EQ(ranks.outcome, "a rank failed: unhandled cuda error");
}

}  // namespace
}  // namespace cupel::bench::collective
