#include "cupel/report/table.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cupel::report {
namespace {

TEST(Table, AlignsItsColumnsAndHasNoSpaceAtTheEnd) {
  Table table({{"name"}, {"time", Align::right}, {"notes"}});
  table.row({"a", "1.00 us", ""});
  table.row({"longer", "12 us", "slow"});

  EXPECT_EQ(table.text(),
            "name       time  notes\n"
            "a       1.00 us\n"
            "longer    12 us  slow\n");
}

TEST(Table, LeavesOutAColumnWithoutContent) {
  Table table({{"name"}, {"rate", Align::right}, {"notes"}});
  table.row({"a", "", "x"});

  EXPECT_EQ(table.text(), "name  notes\na     x\n");
}

TEST(Table, IndentsTheRowsOfGroups) {
  Table table({{"name"}, {"time"}});
  table.group("transfer/h2d", "[pin-memory]");
  table.row({"a", "1"});

  EXPECT_EQ(table.text(), "  name  time\ntransfer/h2d  [pin-memory]\n  a     1\n");
}

TEST(Table, PutsARemarkThatDoesNotFitBelowItsTitle) {
  Table table({{"name"}, {"time"}});
  table.group("transfer/h2d", "[pin-memory]");
  table.row({"a", "1"});

  EXPECT_EQ(table.text(20), "  name  time\ntransfer/h2d\n        [pin-memory]\n  a     1\n");
}

TEST(Table, RefusesARowOfAnotherLength) {
  Table table({{"name"}, {"time"}});

  EXPECT_THROW(table.row({"a"}), std::invalid_argument);
}

TEST(Table, CountsCodePointsNotBytes) { EXPECT_EQ(display_width("\u00b1 5 \u00b5s"), 6u); }

TEST(MarkdownTable, EscapesWhatMarkdownWouldTakeForItsOwn) {
  Table table({{"name"}, {"time", Align::right}});
  table.group("g");
  table.row({"a|b_c", "1"});

  EXPECT_EQ(table.markdown(),
            "| name | time |\n"
            "| :--- | ---: |\n"
            "| **g**  | |\n"
            "| a\\|b\\_c | 1 |\n");
}

TEST(MarkdownTable, LeavesOutAColumnWithoutContent) {
  Table table({{"name"}, {"rate", Align::right}, {"notes"}});
  table.row({"a", "", "x"});

  EXPECT_EQ(table.markdown(), "| name | notes |\n| :--- | :--- |\n| a | x |\n");
}

}  // namespace
}  // namespace cupel::report
