#include "cupel/foretell/micro.hpp"

#include <gtest/gtest.h>

#include "cupel/foretell/synthetic.hpp"

namespace cupel::foretell {
namespace {

// 1 s at 100, 4 s at 400: in proportion.
Micro proportional() { return Micro({figure("a/copy/bytes:100", 1), figure("a/copy/bytes:400", 4)}); }

TEST(Micro, SaysWhatARowSaysWhereThereIsOne) {
  const Micro micro({figure("a/copy/bytes:100", 1, {}, 0.1), figure("a/copy/bytes:400", 4)});

  const Estimate time = micro.time_at("a/copy/bytes:*", 100);

  EXPECT_DOUBLE_EQ(time.value, 1);
  EXPECT_DOUBLE_EQ(time.low, 0.9);
}

TEST(Micro, LiesBetweenItsNeighbours) {
  const Estimate time = proportional().time_at("a/copy/bytes:*", 200);

  EXPECT_NEAR(time.value, 2, 1e-9);
  EXPECT_NEAR(time.low, 2, 1e-9);
  EXPECT_NEAR(time.high, 2, 1e-9);
}

TEST(Micro, IsLessSureBetweenNeighboursThatDisagree) {
  const Micro micro({figure("a/copy/bytes:100", 1), figure("a/copy/bytes:400", 1)});  // a call costs 1 s

  const Estimate time = micro.time_at("a/copy/bytes:*", 200);

  EXPECT_NEAR(time.value, 1, 1e-9);
  EXPECT_NEAR(time.low, 0.5, 1e-9);
  EXPECT_NEAR(time.high, 2, 1e-9);
}

TEST(Micro, GrowsInProportionBeyondTheLastRow) {
  EXPECT_NEAR(proportional().time_at("a/copy/bytes:*", 4000).value, 40, 1e-9);
}

TEST(Micro, IsLessSureBeyondRowsThatDoNotGrowInProportion) {
  const Micro micro({figure("a/copy/bytes:100", 1), figure("a/copy/bytes:400", 2)});

  const Estimate time = micro.time_at("a/copy/bytes:*", 1600);

  EXPECT_NEAR(time.value, 8, 1e-9);
  EXPECT_NEAR(time.low, 4, 1e-9);
}

TEST(Micro, GoesOnBeforeTheFirstRowAsTheFirstTwoDo) {
  const Estimate time = proportional().time_at("a/copy/bytes:*", 10);
  EXPECT_NEAR(time.value, 0.1, 1e-9);
  EXPECT_NEAR(time.low, 0.1, 1e-9);
  EXPECT_NEAR(time.high, 1, 1e-9) << "or what a call costs";

  const Micro flat({figure("a/copy/bytes:100", 1), figure("a/copy/bytes:400", 1)});
  EXPECT_NEAR(flat.time_at("a/copy/bytes:*", 10).value, 1, 1e-9);
}

TEST(Micro, TakesACallBeforeASingleRow) {
  EXPECT_NEAR(Micro({figure("a/copy/bytes:100", 1)}).time_at("a/copy/bytes:*", 10).value, 1, 1e-9);
}

TEST(Micro, SaysWhichRowsAreMissing) {
  try {
    proportional().time_at("b/copy/bytes:*", 10);
    FAIL();
  } catch (const NoRows& none) {
    EXPECT_STREQ(none.what(), "the results lack b/copy/bytes:*");
  }
}

TEST(Micro, AStarStandsForNoSlash) {
  const Micro micro({figure("a/copy/way:fast/bytes:100", 1)});

  EXPECT_THROW(micro.time_at("a/copy/*", 100), NoRows);
  EXPECT_NO_THROW(micro.time_at("a/copy/way:*/bytes:*", 100));
}

TEST(Micro, TakesTheModeThatIsAskedForElseTheMainOne) {
  figures::Figure host = figure("a/copy/bytes:100", 3, {}, 0, record::Mode::host);
  host.is_main = false;
  const Micro micro({figure("a/copy/bytes:100", 1, {}, 0, record::Mode::cold), host});

  EXPECT_EQ(micro.time_at("a/copy/bytes:*", 100).value, 1);
  EXPECT_EQ(micro.time_at("a/copy/bytes:*", 100, record::Mode::host).value, 3);
  EXPECT_EQ(micro.time_at("a/copy/bytes:*", 100, record::Mode::hot).value, 1);
}

TEST(Micro, HoldsARowAgainstItsTwin) {
  const record::Workload work{.bytes_read = 50, .bytes_written = 50, .flops = 1000};
  const Micro micro({figure("g/square/precision:fp32/n:8", 4, work, 0.1),
                     figure("g/square/precision:tf32/n:8", 1, work), figure("g/square/precision:fp32/n:9", 4, work)});

  const std::vector<Known> known = micro.ratios("g/square/precision:fp32/n:*", "precision:fp32", "precision:tf32");

  ASSERT_EQ(known.size(), 1u);  // the other has no twin
  EXPECT_DOUBLE_EQ(known[0].value.value, 0.25);
  EXPECT_DOUBLE_EQ(known[0].value.high, 1 / 3.6);
}

TEST(Nearest, IsThatOfTheSameWork) {
  const Place here = place_of_work(1000, 10);

  const Estimate value =
      nearest({{here, Estimate::exactly(2)}, {place_of_work(1e6, 10), Estimate::exactly(5)}}, here, "rows");

  EXPECT_NEAR(value.value, 2, 0.01);
  EXPECT_NEAR(value.low, 2, 1e-9);
}

TEST(Nearest, SpreadsOverItsNeighboursWhereNoneIsNear) {
  const Place here = place_of_work(1000, 10), far = place_of_work(1000, 1), as_far = place_of_work(1000, 100);

  const Estimate value = nearest({{far, Estimate::exactly(2)}, {as_far, Estimate::exactly(4)}}, here, "rows");

  EXPECT_NEAR(value.value, 3, 1e-6);
  EXPECT_NEAR(value.low, 2, 1e-9);
  EXPECT_NEAR(value.high, 4, 1e-9);
}

TEST(Nearest, OfNothingSaysWhatIsMissing) { EXPECT_THROW(nearest({}, {}, "rows"), NoRows); }

}  // namespace
}  // namespace cupel::foretell
