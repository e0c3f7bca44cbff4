#include "cupel/report/page/verdicts.hpp"

#include <gtest/gtest.h>

namespace cupel::report {
namespace {

const Badges kBadges{{"pays", Badge::good},
                     {"pays at some", Badge::good},
                     {"cost", Badge::warn},
                     {"harms", Badge::bad},
                     {"SAME", Badge::quiet}};

TEST(WithVerdicts, ColoursTheWordsThatStandByThemselves) {
  EXPECT_EQ(with_verdicts("pays at 4, harms at 2: SAME", kBadges),
            "\x1b[32mpays\x1b[0m at 4, \x1b[31mharms\x1b[0m at 2: SAME");
  EXPECT_EQ(with_verdicts("pays; cost: 2", kBadges), "\x1b[32mpays\x1b[0m; \x1b[33mcost\x1b[0m: 2");
}

TEST(WithVerdicts, TakesTheLongerOfTwoThatBeginAlike) {
  EXPECT_EQ(with_verdicts("1.20x pays at some, at 4 of 9", kBadges), "1.20x \x1b[32mpays at some\x1b[0m, at 4 of 9");
}

TEST(WithVerdicts, LeavesNamesThatHoldSuchAWord) {
  for (const char* name : {"autotune-cost", "cost:2", "a/cost", "costly", "cost/b", "pays_off"})
    EXPECT_EQ(with_verdicts(name, kBadges), name);
}

TEST(WithKeptVerdicts, HasNoSpaceInsideAVerdictThatHasRoom) {
  const std::string kept = with_kept_verdicts("it pays at some", kBadges, 12);

  EXPECT_EQ(kept.find_last_of(' '), 2u);
  EXPECT_EQ(without_kept_verdicts(kept), "it pays at some");
  EXPECT_EQ(with_kept_verdicts("it pays at some", kBadges, 11), "it pays at some");
}

}  // namespace
}  // namespace cupel::report
