#include "cupel/report/show/most_common.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cupel::report {
namespace {

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
}  // namespace cupel::report
