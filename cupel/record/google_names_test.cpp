#include "cupel/record/google_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace cupel::record {
namespace {

using ::testing::ElementsAre;
using Names = std::vector<std::string>;

std::vector<Names> common(std::vector<Names> sides) { return common_names(sides); }

TEST(CanonicalName, DropsHowItWasMeasuredAndKeepsWhat) {
  EXPECT_EQ(canonical_name("copy/bytes:1024/min_time:0.010/min_warmup_time:0.5/repeats:3"), "copy/bytes:1024");
  EXPECT_EQ(canonical_name("a/8/iterations:10/process_time/manual_time"), "a/8");
  EXPECT_EQ(canonical_name("a/real_time/threads:8"), "a/threads:8");
  EXPECT_EQ(canonical_name("a/real_times/iterations:x/repeats"), "a/real_times/iterations:x/repeats");
  EXPECT_EQ(canonical_name("manual_time"), "manual_time");
  EXPECT_EQ(canonical_name("a//real_time/"), "a//");
  EXPECT_EQ(canonical_name(""), "");
}

TEST(ClockOf, IsManualWhereTheBenchmarkGivesItsTimes) {
  EXPECT_EQ(clock_of("a/8/manual_time/threads:2"), kManualClock);
  EXPECT_EQ(clock_of("a/process_time/manual_time"), kManualClock);
  EXPECT_EQ(clock_of("a/8/real_time"), "");
  EXPECT_EQ(clock_of("a/process_time"), "");
  EXPECT_EQ(clock_of("manual_time"), "");
}

TEST(ThreadsOf, IsOneWithoutAWord) {
  EXPECT_EQ(threads_of("a/threads:8"), 8);
  EXPECT_EQ(threads_of("a/real_time/threads:12"), 12);
  EXPECT_EQ(threads_of("a/8"), 1);
  EXPECT_EQ(threads_of("a/threads:x"), 1);
}

TEST(DividesByThreads, IsWhatReleasesBeforeOneNineDo) {
  for (const char* release :
       {"", "v1.7.1", "1.8.3", "v1.8.4", "v1.8.5", "v1.8.5-11-gb8847174", "v1.8.4-33-g1", "v1.8"}) {
    EXPECT_EQ(divides_by_threads(release), true) << release;
  }
  for (const char* release : {"v1.9.0", "1.9.1", "v1.9", "v1.10.0", "v2.0.0", "v1.9.4-dirty", "v1.8.5-12-ga008bf82",
                              "v1.8.4-34-ga008bf82-dirty", "v1.8.5-70-g1"}) {
    EXPECT_EQ(divides_by_threads(release), false) << release;
  }
  for (const char* unknown : {"v", "unknown", "v0.0.0", "main", "1", "v1.x.2", "-"}) {
    EXPECT_EQ(divides_by_threads(unknown), std::nullopt) << unknown;
  }
}

TEST(CommonNames, AreCanonicalWhereNoOtherHasThem) {
  EXPECT_THAT(common({{"a/8/real_time", "b/iterations:5"}, {"a/8/real_time", "b/iterations:9"}}),
              ElementsAre(Names{"a/8", "b"}, Names{"a/8", "b"}));
  EXPECT_THAT(common({{"a/real_time", "a/manual_time"}}), ElementsAre(Names{"a/real_time", "a/manual_time"}));
}

TEST(CommonNames, HoldAgainstEachOtherWhatIsPrintedAlike) {
  EXPECT_THAT(common({{"F/8", "F/8/real_time"}, {"F/8/real_time"}}),
              ElementsAre(Names{"F/8", "F/8/real_time"}, Names{"F/8/real_time"}));
  EXPECT_THAT(common({{"F/real_time"}, {"F/real_time", "F/manual_time"}}),
              ElementsAre(Names{"F/real_time"}, Names{"F/real_time", "F/manual_time"}));
}

TEST(CommonNames, TakeOneOfEachSideForOneBenchmarkHoweverLongItWasMeasured) {
  EXPECT_THAT(common({{"F/iterations:5/real_time", "F/manual_time"}, {"F/real_time", "F/manual_time"}}),
              ElementsAre(Names{"F/iterations:5/real_time", "F/manual_time"},
                          Names{"F/iterations:5/real_time", "F/manual_time"}));
}

TEST(CommonNames, PreferTheSameClockAndTakeAnotherOnlyWhereThereIsNoneElse) {
  EXPECT_THAT(common({{"F", "F/manual_time"}, {"F/real_time"}}), ElementsAre(Names{"F", "F/manual_time"}, Names{"F"}));
  EXPECT_THAT(common({{"F/real_time"}, {"F/manual_time"}}), ElementsAre(Names{"F"}, Names{"F"}));
}

TEST(CommonNames, AreTwoWhereOneEndsWithASlash) {
  const Names names{"a", "a/", "a//", "a/real_time/"};

  const std::vector<Names> shown = common({names, names});

  EXPECT_EQ(std::set<std::string>(shown[0].begin(), shown[0].end()).size(), names.size());
  EXPECT_EQ(shown[0], shown[1]);
}

TEST(CommonNames, DoNotGuessAmongSeveral) {
  EXPECT_THAT(common({{"F/iterations:1", "F/iterations:2"}, {"F/iterations:3"}}),
              ElementsAre(Names{"F/iterations:1", "F/iterations:2"}, Names{"F/iterations:3"}));
}

TEST(CommonNames, OfThreeSidesAreOneGroup) {
  EXPECT_THAT(common({{"F/real_time"}, {"G"}, {"F/real_time", "G/iterations:2"}}),
              ElementsAre(Names{"F"}, Names{"G"}, Names{"F", "G"}));
}

}  // namespace
}  // namespace cupel::record
