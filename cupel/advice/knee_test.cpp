#include "cupel/advice/knee.hpp"

#include <gtest/gtest.h>

namespace cupel::advice {
namespace {

// 512 samples in batches of this size.
figures::Figure step(std::int64_t size, double per_second, double busy = 0.9) {
  figures::Figure figure;
  figure.operation = "step/batch";
  figure.name = "step/batch/size:" + std::to_string(size);
  figure.params = {{"size", std::to_string(size)}};
  figure.workload.items = 512;
  figure.time.emplace().location_s = 512 / per_second;
  figure.counters = {{"device_time", busy * 512 / per_second, "s", {}, {}}, {"largest_batch", 2300, "count", {}, {}}};
  return figure;
}

TEST(Knee, IsTheFirstBatchThanWhichNoLargerGivesMore) {
  const std::vector<Knee> found = knees(std::vector{step(256, 5100), step(32, 4000), step(64, 4900), step(128, 5000)});

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].operation, "step/batch");
  EXPECT_EQ(found[0].sizes.front().size, 32);
  EXPECT_EQ(found[0].sizes[found[0].at].size, 64);
  EXPECT_TRUE(found[0].reached());
  EXPECT_EQ(found[0].largest, 2300);
}

TEST(Knee, CountsGainsOverSeveralSizesTogether) {
  const std::vector<Knee> found = knees(std::vector{step(32, 1000), step(64, 1040), step(128, 1080), step(256, 1085)});

  EXPECT_EQ(found[0].sizes[found[0].at].size, 64);
}

TEST(Knee, IsNotReachedWhereTheLargestStillGains) {
  const std::vector<Knee> found = knees(std::vector{step(32, 1000), step(64, 1500)});

  EXPECT_EQ(found[0].sizes[found[0].at].size, 64);
  EXPECT_FALSE(found[0].reached());
}

TEST(Knee, HasTheLargestBatchThatCouldBeTrained) {
  figures::Figure largest;
  largest.operation = largest.name = "step/batch/largest";
  largest.workload.items = 2656;
  largest.time.emplace().location_s = 0.5;
  largest.counters = {{"largest_batch", 2656, "count", {}, {}}};
  const std::vector<figures::Figure> sizes = {step(32, 4000), step(64, 4900), largest};

  ASSERT_TRUE(knees(sizes)[0].trained.has_value());
  EXPECT_EQ(knees(sizes)[0].trained->size, 2656);
  EXPECT_EQ(knees(sizes)[0].trained->per_second, 5312);
  EXPECT_FALSE(knees(std::vector{step(32, 4000), step(64, 4900)})[0].trained.has_value());
}

TEST(Knee, HoldsTheSignOfASmallBatchAgainstWhereALargerOnePays) {
  const auto said = [](std::vector<figures::Figure> steps) { return sign_text(knees(steps).at(0)); };
  EXPECT_EQ(said({step(32, 4000, 0.94), step(64, 5000, 0.95), step(128, 5010, 0.96)}),
            "does not hold: at 32 it is busy for 94 % of the time, and 64 do 1.25 times as many a second");
  EXPECT_EQ(said({step(32, 4000, 0.5), step(64, 5000), step(128, 5010)}), "holds at all 1");
  EXPECT_EQ(
      said({step(16, 2000, 0.4), step(32, 4000), step(64, 5000, 0.7), step(128, 5010)}),
      "holds at 1 of 3: at 32 it is busy for 90 % of the time, and 64 do 1.25 times as many a second; at 64 it is "
      "busy for 70 % of the time, and no larger one gives more");
  EXPECT_EQ(said({step(32, 5000), step(64, 5010)}), "");
  EXPECT_EQ(said({step(32, 4000, 0.5), step(64, 5000, 0.5)}), "holds at all 1");  // the largest may be too small, too
}

TEST(Knee, NeedsTwoSizesTheCounterAndATime) {
  EXPECT_TRUE(knees(std::vector{step(32, 1000)}).empty());
  figures::Figure without_busy = step(64, 1000), failed = step(128, 1000);
  without_busy.counters.clear();
  failed.time.reset();
  EXPECT_TRUE(knees(std::vector{step(32, 1000), without_busy, failed}).empty());
}

}  // namespace
}  // namespace cupel::advice
