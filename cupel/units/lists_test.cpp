#include "cupel/units/lists.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cupel::units {
namespace {

TEST(Joined, HasTheTextBetweenEachTwo) {
  EXPECT_EQ(joined(std::vector<std::string>{"a", "", "b"}, "; "), "a; ; b");
  EXPECT_EQ(joined(std::vector<std::string>{}), "");
}

TEST(Those, AreTheElementsThemselvesInTheirOrder) {
  const std::vector<int> all{3, 1, 4, 1, 5};

  EXPECT_THAT(filtered(all, [](int one) { return one > 2; }), testing::ElementsAre(&all[0], &all[2], &all[4]));
}

TEST(MostCommon, IsTheValueThatOccursMostOftenAndTheLeastOfSeveral) {
  EXPECT_EQ(most_common(std::vector<std::string>{"a", "b", "b"}), "b");
  EXPECT_EQ(most_common(std::vector<std::string>{"b", "a"}), "a");
  EXPECT_EQ(most_common(std::vector<std::string>{}), std::nullopt);
}

TEST(Differ, IsSoWhereOneIsAnother) {
  EXPECT_TRUE(differ(std::vector{1, 1, 2}));
  EXPECT_FALSE(differ(std::vector{1, 1, 1}));
  EXPECT_FALSE(differ(std::vector<int>{}));
}

}  // namespace
}  // namespace cupel::units
