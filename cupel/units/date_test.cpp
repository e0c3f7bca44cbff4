#include "cupel/units/date.hpp"

#include <gtest/gtest.h>

namespace cupel::units {
namespace {

TEST(UtcOf, ATimeSomewhereIsTheTimeInUtc) {
  EXPECT_EQ(utc_of("2026-11-20T06:35:00+02:00"), "2026-11-20T04:35:00Z");
  EXPECT_EQ(utc_of("2026-12-31T23:35:00-0330"), "2027-01-01T03:05:00Z");
  EXPECT_EQ(utc_of("2024-03-01T00:30:00+01"), "2024-02-29T23:30:00Z");
  EXPECT_EQ(utc_of("2026-11-20T06:35:00.123456Z"), "2026-11-20T06:35:00Z");
}

TEST(UtcOf, ATimeThatDoesNotSayWhereIsTakenForUtc) {
  EXPECT_EQ(utc_of("2026-11-20T06:35:00"), "2026-11-20T06:35:00Z");
  EXPECT_EQ(utc_of("2019-03-14 10:25:13"), "2019-03-14T10:25:13Z");
  EXPECT_EQ(utc_of("2015/03/17-18:40:25"), "2015-03-17T18:40:25Z");
  EXPECT_EQ(utc_of("2026-11-20 06:35"), "2026-11-20T06:35:00Z");
}

TEST(UtcOf, ADayAloneIsTheDay) { EXPECT_EQ(utc_of("2026-11-20"), "2026-11-20"); }

TEST(UtcOf, ALeapSecondIsTheLastOfADayInUtc) {
  EXPECT_EQ(utc_of("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00Z");
  EXPECT_EQ(utc_of("2017-01-01T05:29:60+05:30"), "2017-01-01T00:00:00Z");
  EXPECT_EQ(utc_of("2016-12-31T22:59:60Z"), std::nullopt);
  EXPECT_EQ(utc_of("2016-12-31T23:59:60+01:00"), std::nullopt);
}

TEST(UtcOf, NothingElseIsADate) {
  for (const char* text : {"", "yesterday", "2026-13-01", "2026-11-20T", "2026-11-20T25:00:00", "2026-11-20T06:35:00+2",
                           "2026-11-20T06:35:00 CET", "2026-11-20T6:35", "2026-11-20_06:35", "2026-11-20T+1:35:00"}) {
    EXPECT_EQ(utc_of(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace cupel::units
