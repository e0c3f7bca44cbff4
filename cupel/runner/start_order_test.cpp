#include "cupel/runner/start_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace cupel::runner {
namespace {

TEST(DrawnOrder, IsEachOrderOfTheStartsEquallyOften) {
  constexpr int kTimes = 12000;
  stats::Random random(1);
  std::map<std::vector<bool>, int> seen;
  for (int i = 0; i < kTimes; ++i) ++seen[drawn_order({2}, random)];

  ASSERT_EQ(seen.size(), 6u);  // ways to choose 2 of 4
  const double expected = kTimes / 6.0;
  for (const auto& [order, times] : seen) EXPECT_NEAR(times, expected, 4 * std::sqrt(expected));
}

TEST(DrawnOrder, HasWhatFewerProcessesMeasureInAnOrderOfItsOwn) {
  stats::Random random(1);
  std::map<std::vector<bool>, int> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::vector<bool> order = drawn_order({3, 1, 3}, random);
    ASSERT_EQ(order.size(), 6u);
    EXPECT_NE(order[0], order[1]);
    EXPECT_EQ(std::count(order.begin(), order.end(), true), 3);
    ++seen[order];
  }

  EXPECT_EQ(seen.size(), 2u * 6u);
  EXPECT_TRUE(drawn_order({0}, random).empty());
}

}  // namespace
}  // namespace cupel::runner
