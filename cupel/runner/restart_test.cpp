#include "cupel/runner/restart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace cupel::runner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using Kind = StartEnd::Kind;
using Names = std::vector<std::string>;

// An executable by what it does with the names that it is asked for.
class Restart : public testing::Test {
 protected:
  void run(const std::function<StartEnd(const Names&)>& start, int most = kMostRestarts) {
    Restarting how;
    how.start = [&](const Names& names) {
      starts_.push_back(names);
      return start(names);
    };
    how.fail = [&](const Names& names, const std::string& reason) {
      for (const std::string& name : names) failed_.emplace_back(name, reason);
    };
    how.most = most;
    restart_until_done({"a", "b", "c", "d"}, strikes_, how);
  }

  // The names from this one on.
  static Names from(const Names& names, const std::string& name) {
    return {std::ranges::find(names, name), names.end()};
  }

  std::vector<Names> starts_;
  std::vector<std::pair<std::string, std::string>> failed_;
  Strikes strikes_;
};

TEST_F(Restart, StartsOnceWhatGivesAllItsRows) {
  run([](const Names&) { return StartEnd{}; });

  EXPECT_THAT(starts_, SizeIs(1));
  EXPECT_THAT(failed_, IsEmpty());
}

TEST_F(Restart, FailsTheBenchmarkThatEndedTheProcessAndRunsTheOthersOn) {
  run([](const Names& names) {
    return std::ranges::count(names, "b") > 0 ? StartEnd{Kind::badly, from(names, "b"), "b", true, "killed"}
                                              : StartEnd{};
  });

  EXPECT_THAT(starts_, ElementsAre(Names{"a", "b", "c", "d"}, Names{"c", "d"}));
  EXPECT_THAT(failed_, ElementsAre(Pair("b", "killed")));
}

TEST_F(Restart, RunsAgainByItselfWhatAProcessLacksThatEndedWell) {
  run([](const Names& names) {
    return names.size() > 2 ? StartEnd{Kind::well, {"c", "d"}, "", true, "none"} : StartEnd{};
  });

  EXPECT_THAT(starts_, ElementsAre(Names{"a", "b", "c", "d"}, Names{"c", "d"}));
  EXPECT_THAT(failed_, IsEmpty());
}

TEST_F(Restart, FailsWhatNoProcessThatEndsWellEverGives) {
  run([](const Names& names) { return StartEnd{Kind::well, from(names, "c"), "", true, "no result"}; });

  EXPECT_THAT(starts_, ElementsAre(Names{"a", "b", "c", "d"}, Names{"c", "d"}));
  EXPECT_THAT(failed_, ElementsAre(Pair("c", "no result"), Pair("d", "no result")));
  EXPECT_EQ(strikes_.why_not("c"), "");
}

TEST_F(Restart, FailsAllOfAProgramThatGivesNothingTwiceAndDoesNotSayWhere) {
  run([](const Names& names) { return StartEnd{Kind::badly, names, names.front(), false, "no device"}; });

  EXPECT_THAT(starts_, ElementsAre(Names{"a", "b", "c", "d"}, Names{"b", "c", "d"}));
  EXPECT_THAT(failed_, ElementsAre(Pair("a", "no device"), Pair("b", "no device"), Pair("c", "no device"),
                                   Pair("d", "no device")));
}

TEST_F(Restart, GoesOnWithAProgramThatSaysInWhichBenchmarkItEnds) {
  run([](const Names& names) { return StartEnd{Kind::badly, names, names.front(), true, "killed"}; });

  EXPECT_THAT(starts_, SizeIs(4));
  EXPECT_THAT(failed_, SizeIs(4));
}

TEST_F(Restart, FailsAllWhereNothingWasGivenAndNothingRan) {
  run([](const Names& names) { return StartEnd{Kind::badly, names, "", true, "its journal is broken"}; });

  EXPECT_THAT(starts_, SizeIs(1));
  EXPECT_THAT(failed_, SizeIs(4));
}

TEST_F(Restart, StopsWhereTheStartSaysThatItIsOver) {
  run([](const Names& names) { return StartEnd{Kind::over, names, "", true, "interrupted"}; });

  EXPECT_THAT(starts_, SizeIs(1));
  EXPECT_THAT(failed_, IsEmpty());
}

TEST_F(Restart, GivesUpAfterAsManyFreshProcessesAsItMayTake) {
  run([](const Names& names) { return StartEnd{Kind::badly, from(names, names[1]), "", true, "killed"}; }, 1);

  EXPECT_THAT(starts_, SizeIs(2));
  EXPECT_THAT(failed_, ElementsAre(Pair("c", "not run: 1 fresh processes were not enough"),
                                   Pair("d", "not run: 1 fresh processes were not enough")));
}

TEST_F(Restart, DoesNotTryAgainWhatEndedTwoProcesses) {
  EXPECT_EQ(strikes_.why_not("a"), "");
  strikes_.add("a", "first");
  EXPECT_EQ(strikes_.why_not("a"), "");
  strikes_.add("a", "second");
  EXPECT_EQ(strikes_.why_not("a"), "not tried again after it ended 2 processes: second");
}

}  // namespace
}  // namespace cupel::runner
