#include "cupel/figures/facets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "cupel/figures/pivot.hpp"

namespace cupel::figures {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Figure> with_params(std::initializer_list<const char*> names) {
  std::vector<Figure> all;
  for (const char* name : names) {
    Figure& figure = all.emplace_back();
    figure.name = name;
    figure.params = parts_of(name);
  }
  return all;
}

std::vector<const Figure*> each_of(const std::vector<Figure>& all) {
  std::vector<const Figure*> each;
  for (const Figure& one : all) each.push_back(&one);
  return each;
}

TEST(Axis, CountsBytesThoughAnotherParameterHasMoreValues) {
  const auto all = with_params({"t/c/bytes:1/n:1", "t/c/bytes:2/n:2", "t/c/bytes:4/n:3", "t/c/bytes:4/n:4"});

  EXPECT_EQ(axis_of(each_of(all)), "bytes");
}

TEST(Axis, NeedsThreeValuesThatAreNumbers) {
  EXPECT_FALSE(axis_of(each_of(with_params({"t/c/n:1", "t/c/n:2"}))));
  EXPECT_FALSE(axis_of(each_of(with_params({"t/c/way:a", "t/c/way:b", "t/c/way:c"}))));
}

TEST(Lines, AreToldApartByWhatVariesButTheAxis) {
  const auto all = with_params({"t/c/way:a/pass:f/n:1", "t/c/way:b/pass:f/n:2"});

  const std::vector<std::string> keys = varying_keys(each_of(all), "n");

  EXPECT_THAT(keys, ElementsAre("way"));
  EXPECT_EQ(line_label(all.back(), keys), "way:b");
}

TEST(Facets, AreOneWhereThereIsRoom) {
  const auto all = with_params({"t/c/way:a/n:1", "t/c/way:b/n:1"});

  const std::vector<Facet> facets = facets_of(each_of(all), "n", 1, 2);

  ASSERT_EQ(facets.size(), 1u);
  EXPECT_EQ(facets[0].label, "");
  EXPECT_THAT(facets[0].members, ElementsAre(0, 1));
}

TEST(Facets, AreDividedByTheParameterWithFewestValues) {
  const auto all = with_params({"t/c/way:a/size:1/n:1", "t/c/way:b/size:1/n:1", "t/c/way:c/size:1/n:1",
                                "t/c/way:a/size:2/n:1", "t/c/way:b/size:2/n:1", "t/c/way:c/size:2/n:1"});

  const std::vector<Facet> facets = facets_of(each_of(all), "n", 3, 3);

  ASSERT_EQ(facets.size(), 2u);
  EXPECT_EQ(facets[0].label, "size:1");
  EXPECT_THAT(facets[0].members, ElementsAre(0, 1, 2));
  EXPECT_EQ(facets[1].label, "size:2");
  EXPECT_THAT(facets[1].members, ElementsAre(3, 4, 5));
}

TEST(Facets, OfOneParameterWithTooManyValuesAreAboutAsLarge) {
  const auto all = with_params({"t/c/way:a/n:1", "t/c/way:b/n:1", "t/c/way:c/n:1", "t/c/way:d/n:1", "t/c/way:e/n:1"});

  const std::vector<Facet> facets = facets_of(each_of(all), "n", 3, 4);

  ASSERT_EQ(facets.size(), 2u);
  EXPECT_EQ(facets[0].label, "1 of 2");
  EXPECT_THAT(facets[0].members, ElementsAre(0, 1));
  EXPECT_EQ(facets[1].label, "2 of 2");
  EXPECT_THAT(facets[1].members, ElementsAre(2, 3, 4));
}

TEST(Problems, AreWhatWaysOfDoingItHaveInCommon) {
  const auto all = with_params({"c/l/layer:a/engine:0", "c/l/layer:b/engine:0", "c/l/layer:a/engine:1"});

  ASSERT_EQ(ranked_key(each_of(all)), "engine");
  const std::vector<Facet> problems = problems_of(each_of(all), "engine");

  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].label, "layer:a");
  EXPECT_THAT(problems[0].members, ElementsAre(0, 2));
  EXPECT_THAT(problems[1].members, ElementsAre(1));
  EXPECT_FALSE(ranked_key(each_of(with_params({"c/l/engine:0", "c/l/engine:0"}))));
  EXPECT_THAT(problems_of({}, "engine"), IsEmpty());
}

}  // namespace
}  // namespace cupel::figures
