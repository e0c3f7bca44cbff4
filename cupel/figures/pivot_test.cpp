#include "cupel/figures/pivot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

namespace cupel::figures {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Figure one_named(const std::string& name) {
  Figure figure;
  figure.name = name;
  figure.operation = operation_of(name);
  return figure;
}

std::vector<Figure> named(std::initializer_list<const char*> names) {
  std::vector<Figure> all;
  for (const std::string name : names) all.push_back(one_named(name));
  return all;
}

std::vector<std::string> names_of(const Pivot::Line& row) {
  std::vector<std::string> names;
  for (const Figure* cell : row.cells) names.push_back(cell == nullptr ? "" : cell->name);
  return names;
}

TEST(Parts, AreWhatFollowsTheOperation) {
  EXPECT_THAT(parts_of("gemm/square/precision:fp16/n:8"), ElementsAre(Pair("precision", "fp16"), Pair("n", "8")));
  EXPECT_THAT(parts_of("a/b/x:1/plain"), ElementsAre(Pair("x", "1"), Pair("", "plain")));
  EXPECT_THAT(parts_of("a/b"), IsEmpty());
}

TEST(Alike, AreBenchmarksOfOneOperationWithTheSameParameters) {
  const auto all = named({"g/align/p:a/n:1", "g/align/p:b/words:2", "g/align/p:b/n:1", "g/other/p:a/n:1"});

  const std::vector<Alike> groups = alike(all);

  ASSERT_EQ(groups.size(), 3u);
  EXPECT_THAT(groups[0].members, ElementsAre(&all[0], &all[2]));
  EXPECT_THAT(groups[1].parameters, ElementsAre("p", "words"));
  EXPECT_EQ(groups[2].operation, "g/other");
}

// Two parameters that vary together: a table of all pairs would grow with their square.
TEST(Pivot, IsNoLargeTableThatIsMostlyGaps) {
  std::vector<Figure> few, many;
  for (int i = 0; i < 50; ++i) few.push_back(one_named("g/s/a:" + std::to_string(i) + "/b:" + std::to_string(i)));
  for (int i = 0; i < 500; ++i) many.push_back(one_named("g/s/a:" + std::to_string(i) + "/b:" + std::to_string(i)));

  EXPECT_TRUE(pivot(alike(few).front(), "a"));
  EXPECT_FALSE(pivot(alike(many).front(), "a"));
}

TEST(Pivot, HasARowForEachWorkloadAndAColumnForEachValue) {
  const auto all = named({"g/s/precision:fp32/n:1024", "g/s/precision:fp32/n:256", "g/s/precision:fp8/n:1024"});

  const std::optional<Pivot> turned = pivot(alike(all).front(), "precision");

  ASSERT_TRUE(turned);
  EXPECT_THAT(turned->columns, ElementsAre("fp32", "fp8"));
  EXPECT_THAT(turned->parameters, ElementsAre("n"));
  ASSERT_EQ(turned->rows.size(), 2u);
  EXPECT_THAT(turned->rows[0].values, ElementsAre("256"));  // numbers by size
  EXPECT_THAT(names_of(turned->rows[0]), ElementsAre("g/s/precision:fp32/n:256", ""));
  EXPECT_THAT(names_of(turned->rows[1]), ElementsAre("g/s/precision:fp32/n:1024", "g/s/precision:fp8/n:1024"));
  EXPECT_EQ(turned->cells(), 3u);
}

TEST(Pivot, TakesOutWhatAllNamesHave) {
  const auto all = named({"g/s/pass:f/precision:a/n:1", "g/s/pass:f/precision:b/n:1"});

  const std::optional<Pivot> turned = pivot(alike(all).front(), "precision");

  ASSERT_TRUE(turned);
  EXPECT_THAT(turned->common, ElementsAre(Pair("pass", "f"), Pair("n", "1")));
  EXPECT_THAT(turned->parameters, IsEmpty());
}

TEST(Pivot, IsNoneOfAParameterThatIsMissingOrHasOneValue) {
  const auto all = named({"g/s/precision:a/n:1", "g/s/precision:a/n:2"});

  EXPECT_FALSE(pivot(alike(all).front(), "precision"));
  EXPECT_FALSE(pivot(alike(all).front(), "bytes"));
  EXPECT_FALSE(pivot(alike(all).front(), ""));
}

TEST(Across, IsFirstWhatAdviceCompares) {
  auto all = named({"g/l/layer:a/precision:x/n:1", "g/l/layer:a/precision:y/n:1", "g/l/layer:b/precision:x/n:1",
                    "g/l/layer:b/precision:y/n:1", "g/l/layer:c/precision:x/n:1", "g/l/layer:c/precision:y/n:1"});
  for (Figure& figure : all) {
    const bool first = figure.name.find("precision:x") != std::string::npos;
    figure.tags = {{"mixed", first ? record::Role::before : record::Role::after, parts_of(figure.name)[0].second, ""}};
  }

  EXPECT_THAT(across_candidates(alike(all).front()), ElementsAre("precision", "layer"));
}

TEST(Across, IsAWordRatherThanANumberAndLeavesFewRows) {
  const auto all = named({"t/c/way:a/bytes:1", "t/c/way:a/bytes:2", "t/c/way:a/bytes:3", "t/c/way:b/bytes:1",
                          "t/c/way:b/bytes:2", "t/c/way:b/bytes:3"});

  EXPECT_THAT(across_candidates(alike(all).front()), ElementsAre("way", "bytes"));
}

TEST(Across, IsNothingThatWouldLeaveMostCellsEmpty) {
  const auto all = named({"c/l/layer:a/size:1", "c/l/layer:b/size:2", "c/l/layer:c/size:3"});

  EXPECT_THAT(across_candidates(alike(all).front()), IsEmpty());
}

TEST(Pivot, CanLeaveOutWhatWasSkippedThroughout) {
  auto all = named({"g/s/precision:a/n:1", "g/s/precision:b/n:1", "g/s/precision:c/n:1", "g/s/precision:a/n:2",
                    "g/s/precision:b/n:2", "g/s/precision:c/n:2"});
  for (Figure& figure : all) figure.skipped = 1;
  for (const std::size_t i : {0u, 1u}) all[i].ok = 1;

  const Pivot rest = without_skipped(*pivot(alike(all).front(), "precision"));

  EXPECT_THAT(rest.columns, ElementsAre("a", "b"));
  ASSERT_EQ(rest.rows.size(), 1u);
  EXPECT_THAT(names_of(rest.rows[0]), ElementsAre("g/s/precision:a/n:1", "g/s/precision:b/n:1"));
}

}  // namespace
}  // namespace cupel::figures
