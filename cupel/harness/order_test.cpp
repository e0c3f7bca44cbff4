#include "cupel/harness/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace cupel::harness {
namespace {

struct Suite {
  std::vector<Definition::Point> points;
  std::vector<const Definition::Point*> pointers() const {
    std::vector<const Definition::Point*> all;
    for (const Definition::Point& point : points) all.push_back(&point);
    return all;
  }
};

// Forty benchmarks: pairs of before and after of twenty scenarios, registered apart.
Suite pairs() {
  Suite suite;
  for (const record::Role role : {record::Role::before, record::Role::after}) {
    for (int i = 0; i < 20; ++i) {
      Definition::Point point;
      point.advice = {{"some-advice", role, "scenario" + std::to_string(i), ""}};
      suite.points.push_back(point);
    }
  }
  return suite;
}

TEST(RoundOrder, VisitsEachOnce) {
  std::vector<std::size_t> order = round_order(pairs().pointers(), 1, 0);

  std::ranges::sort(order);
  std::vector<std::size_t> expected(40);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST(RoundOrder, KeepsBeforeAndAfterTogetherAndSwapsThemEveryOtherRound) {
  const Suite suite = pairs();
  for (int round = 0; round < 4; ++round) {
    const std::vector<std::size_t> order = round_order(suite.pointers(), 5, round);
    for (std::size_t i = 0; i < order.size(); i += 2) {
      const record::AdviceTag& first = suite.points[order[i]].advice.front();
      const record::AdviceTag& second = suite.points[order[i + 1]].advice.front();
      EXPECT_EQ(first.scenario, second.scenario);
      EXPECT_EQ(first.role, round % 2 == 0 ? record::Role::before : record::Role::after);
    }
  }
}

TEST(RoundOrder, BeginsWithWhatIsFirstOfItsProcess) {
  Suite suite = pairs();
  suite.points.emplace_back().first = true;
  for (int round = 0; round < 4; ++round) EXPECT_EQ(round_order(suite.pointers(), 3, round).front(), 40u);
}

TEST(GivenOrder, IsAsTheyStandButForWhatIsFirstOfItsProcess) {
  Suite suite;
  suite.points.resize(4);
  suite.points[2].first = true;

  EXPECT_EQ(given_order(suite.pointers()), (std::vector<std::size_t>{2, 0, 1, 3}));
}

TEST(RoundOrder, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const Suite suite = pairs();

  EXPECT_EQ(round_order(suite.pointers(), 1, 0), round_order(suite.pointers(), 1, 0));
  EXPECT_NE(round_order(suite.pointers(), 1, 0), round_order(suite.pointers(), 2, 0));
  EXPECT_NE(round_order(suite.pointers(), 1, 0), round_order(suite.pointers(), 1, 2));
}

}  // namespace
}  // namespace cupel::harness
