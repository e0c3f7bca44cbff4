#include "cupel/harness/registry.hpp"

#include <gtest/gtest.h>

#include "cupel/harness/session.hpp"

namespace cupel::harness {
namespace {

void nothing(benchmark::State&) {}

class Registry : public testing::Test {
 protected:
  void SetUp() override { forget_registered(); }
  void TearDown() override { forget_registered(); }
};

TEST_F(Registry, SpellsEveryPointInFullWithItsParameters) {
  add("family/copy/memory:pinned", nothing)
      .sweep("bytes", {.quick = {8, 2}, .standard = {4}})
      .advice("pin-memory", record::Role::after, "copy");

  const std::vector<Definition::Point> points = registered_points(Profile::standard);

  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].name, "family/copy/memory:pinned/bytes:2");
  EXPECT_EQ(points[1].name, "family/copy/memory:pinned/bytes:4");
  EXPECT_EQ(points[1].smallest, Profile::standard);
  EXPECT_EQ(points[2].args, std::vector<std::int64_t>{8});
  const std::vector<std::pair<std::string, std::string>> params{{"memory", "pinned"}, {"bytes", "8"}};
  EXPECT_EQ(points[2].params, params);
  EXPECT_EQ(points[2].advice.front().scenario, "copy/bytes:8");
}

TEST_F(Registry, CrossesSweepsAndHoldsLargerProfilesBack) {
  add("family/a", nothing).sweep("x", {.quick = {1, 2}}).sweep("y", {.quick = {3}, .full = {4}});
  add("family/b", nothing).from(Profile::full);

  EXPECT_EQ(registered_points(Profile::quick).size(), 2u);
  EXPECT_EQ(registered_points(Profile::full).size(), 5u);
}

TEST_F(Registry, RefusesNamesThatCannotBeTold) {
  EXPECT_THROW(add("nofamily", nothing), std::invalid_argument);
  EXPECT_THROW(add("family/with space", nothing), std::invalid_argument);
  add("family/a", nothing);
  add("family/a", nothing);
  EXPECT_THROW(registered_points(Profile::quick), std::invalid_argument);
}

TEST_F(Registry, TakesTheFamilyFromTheNamesAndRefusesTwo) {
  EXPECT_THROW(registered_family(), std::invalid_argument);
  add("family/a", nothing);
  EXPECT_EQ(registered_family(), "family");
  add("other/a", nothing);
  EXPECT_THROW(registered_family(), std::invalid_argument);
}

TEST(Powers, EndWithTheLastWhateverTheFactor) {
  EXPECT_EQ(powers(4, 64, 4), (std::vector<std::int64_t>{4, 16, 64}));
  EXPECT_EQ(powers(4, 65, 4), (std::vector<std::int64_t>{4, 16, 64, 65}));
  EXPECT_THROW(powers(0, 8, 2), std::invalid_argument);
}

}  // namespace
}  // namespace cupel::harness
