#include "cupel/fleet/boards.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/figures/suite.hpp"

namespace cupel::fleet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

figures::Suite suite(const std::string& label, const std::string& uuid, const std::string& started,
                     const std::vector<std::string>& benchmarks) {
  figures::Suite made;
  made.label = label;
  if (!uuid.empty()) {
    made.context.device = record::DeviceInfo{};
    made.context.device->uuid = uuid;
  }
  made.context.run.started = started;
  for (const std::string& name : benchmarks) made.benchmarks.emplace_back().name = name;
  return made;
}

std::vector<std::string> labels_of(const std::vector<figures::Suite>& suites) {
  std::vector<std::string> labels;
  for (const figures::Suite& one : suites) labels.push_back(one.label);
  return labels;
}

TEST(CountBoardsOnce, KeepsTheNewestOfABoardWithWhatItLacksOfTheOthers) {
  std::vector<figures::Suite> suites{suite("a", "GPU-1", "2026-11-20", {"x"}), suite("b", "GPU-2", "2026-11-20", {"x"}),
                                     suite("c", "GPU-1", "2026-11-19", {"x", "y"})};

  const std::vector<Again> again = count_boards_once(suites);

  EXPECT_THAT(labels_of(suites), ElementsAre("a", "b"));
  ASSERT_EQ(suites[0].benchmarks.size(), 2U);
  EXPECT_EQ(suites[0].benchmarks[1].name, "y");
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].label, "c");
  EXPECT_EQ(again[0].counted_as, "a");
  EXPECT_EQ(again[0].board, "GPU-1");
  EXPECT_EQ(again[0].added, 1);
}

TEST(CountBoardsOnce, TellsHostsByTheNodeOfTheirRecord) {
  std::vector<figures::Suite> suites{suite("a", "", "2026-11-19", {}), suite("b", "", "2026-11-20", {})};
  for (figures::Suite& one : suites) one.context.run.node = "n1";

  EXPECT_EQ(count_boards_once(suites).size(), 1U);
  EXPECT_THAT(labels_of(suites), ElementsAre("b"));
}

TEST(CountBoardsOnce, CountsCopiesOfARunOnceWhereNothingNamesTheMachine) {
  std::vector<figures::Suite> suites{suite("a", "", "2026-11-20", {"x"}), suite("b", "", "2026-11-20", {"x"}),
                                     suite("c", "", "2026-11-20", {"x"})};
  for (figures::Suite& one : suites) one.benchmarks[0].modes = {{record::Mode::host, {1.25e-6, 1.5e-6}, 2}};
  suites[1].benchmarks[0].modes[0].values_s = {1.375e-6, 1.4375e-6};

  const std::vector<Again> again = count_boards_once(suites);

  EXPECT_THAT(labels_of(suites), ElementsAre("b", "c"));
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].label, "a");
  EXPECT_EQ(again[0].counted_as, "c");
  EXPECT_EQ(again[0].board, "") << "it is a copy";
}

TEST(CountBoardsOnce, LeavesTheBoardsOfOneNodeAndWhatNothingTellsApart) {
  std::vector<figures::Suite> suites{suite("a", "GPU-1", "", {}), suite("b", "GPU-2", "", {}), suite("c", "", "", {}),
                                     suite("d", "", "", {})};
  suites[0].context.run.node = suites[1].context.run.node = "n1";

  EXPECT_THAT(count_boards_once(suites), IsEmpty());
  EXPECT_THAT(labels_of(suites), ElementsAre("a", "b", "c", "d"));
}

}  // namespace
}  // namespace cupel::fleet
