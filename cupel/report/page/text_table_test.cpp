#include "cupel/report/page/render.hpp"
#include "cupel/units/utf8.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace cupel::report {
namespace {

TEST(Table, AlignsItsColumnsAndHasNoSpaceAtTheEnd) {
  Table table({{"name"}, {"time", Align::right}, {"notes"}});
  table.row({"a", "1.00 us", ""});
  table.row({"longer", "12 us", "slow"});

  EXPECT_EQ(as_text(table),
            "name       time  notes\n"
            "a       1.00 us\n"
            "longer    12 us  slow\n");
}

TEST(Table, LeavesOutAColumnWithoutContent) {
  Table table({{"name"}, {"rate", Align::right}, {"notes"}});
  table.row({"a", "", "x"});

  EXPECT_EQ(as_text(table), "name  notes\na     x\n");
}

TEST(Table, IndentsTheRowsOfGroups) {
  Table table({{"name"}, {"time"}});
  table.group("transfer/h2d", "[pin-memory]");
  table.row({"a", "1"});

  EXPECT_EQ(as_text(table), "  name  time\ntransfer/h2d  [pin-memory]\n  a     1\n");
}

TEST(Table, PutsARemarkThatDoesNotFitBelowItsTitle) {
  Table table({{"name"}, {"time"}});
  table.group("transfer/h2d", "[pin-memory]");
  table.row({"a", "1"});

  EXPECT_EQ(as_text(table, {.columns = 20}), "  name  time\ntransfer/h2d\n        [pin-memory]\n  a     1\n");
}

Table table_that_gives_way() {
  Table table({{"benchmark", Align::left, Fold::above},
               {"time", Align::right},
               {"p", Align::right, Fold::none, 1},
               {"n", Align::right, Fold::none, 2},
               {"p", Align::right, Fold::none, 1},
               {"notes", Align::left, Fold::below}});
  table.row({"short", "1.00 us", "0.05", "5", "0.06", ""});
  table.row({"longer name", "12 us", "1", "5", "1", "two words"});
  return table;
}

TEST(Table, KeepsAllInOneLineWhereItFits) {
  EXPECT_EQ(as_text(table_that_gives_way(), {.columns = 49}),
            "benchmark       time     p  n     p  notes\n"
            "short        1.00 us  0.05  5  0.06\n"
            "longer name    12 us     1  5     1  two words\n");
  EXPECT_TRUE(left_out(table_that_gives_way(), 49).empty());
}

TEST(Table, PutsNotesBelowFirst) {
  EXPECT_EQ(as_text(table_that_gives_way(), {.columns = 40}),
            "benchmark       time     p  n     p\n"
            "short        1.00 us  0.05  5  0.06\n"
            "longer name    12 us     1  5     1\n"
            "    two words\n");
}

TEST(Table, SaysOnceWhatWouldStandBelowEveryRow) {
  Table table = table_that_gives_way();
  table.columns.back().fold = Fold::below_or_once;
  for (Table::Line& line : table.lines) line.cells.back() = "two words";
  EXPECT_EQ(as_text(table, {.columns = 40}),
            "benchmark       time     p  n     p\n"
            "short        1.00 us  0.05  5  0.06\n"
            "longer name    12 us     1  5     1\n"
            "In every row: two words.\n");
  EXPECT_TRUE(left_out(table, 40).empty());

  table.lines.pop_back();
  EXPECT_EQ(as_text(table, {.columns = 40}),
            "benchmark     time     p  n     p\n"
            "short      1.00 us  0.05  5  0.06\n"
            "    two words\n");
}

TEST(Table, ThenLeavesOutWhatMayBeLeftOutAndSaysWhat) {
  EXPECT_EQ(as_text(table_that_gives_way(), {.columns = 34}),
            "benchmark       time     p     p\n"
            "short        1.00 us  0.05  0.06\n"
            "longer name    12 us     1     1\n"
            "    two words\n"
            "In every row: n 5.\n");
  EXPECT_EQ(left_out(table_that_gives_way(), 34), std::vector<std::string>{"n"});
  EXPECT_EQ(left_out(table_that_gives_way(), 20), (std::vector<std::string>{"n", "p"}));
}

TEST(Table, HasInAWiderTerminalTheFormOfTheUsualWidthAndMoreColumns) {
  Table table({left("benchmark", Fold::above), right("time"), right("n", 1), left("notes", Fold::below)});
  const std::string beside(kFormColumns - 9, 'x'), above(kFormColumns - 8, 'x');
  table.row({beside, "1.00 us", "5", "two words"});

  EXPECT_EQ(as_text(table, {.columns = kFormColumns}), "benchmark" + std::string(kFormColumns - 13, ' ') + "time\n" +
                                                           beside + "  1.00 us\n    two words\nIn every row: n 5.\n");
  EXPECT_EQ(as_text(table, {.columns = 200}),
            "benchmark" + std::string(kFormColumns - 13, ' ') + "time  n\n" + beside + "  1.00 us  5\n    two words\n");

  table.row({above, "1.00 us", "5", ""});

  const std::string rows =
      "benchmark\n     time  n\n" + beside + "\n  1.00 us  5\n      two words\n" + above + "\n  1.00 us  5\n";
  EXPECT_EQ(as_text(table, {.columns = kFormColumns}), rows);
  EXPECT_EQ(as_text(table, {.columns = 200}), rows);
}

TEST(Table, AtLastGivesNamesALineOfTheirOwn) {
  EXPECT_EQ(as_text(table_that_gives_way(), {.columns = 12}),
            "benchmark\n"
            "     time\n"
            "short\n"
            "  1.00 us\n"
            "longer name\n"
            "    12 us\n"
            "      two\n"
            "      words\n"
            "In every row: n\n"
            "        5. A\n"
            "        wider\n"
            "        terminal\n"
            "        or\n"
            "        --format\n"
            "        markdown\n"
            "        also\n"
            "        shows:\n"
            "        p.\n");
}

TEST(Table, IsNoWiderThanAskedWhereItCanGiveWay) {
  Table table = table_that_gives_way();
  table.group("operation");
  table.row({"a", "123 us", "1", "5", "1", ""});
  for (std::size_t width = 16; width < 80; ++width) {
    std::istringstream lines(as_text(table, {.columns = width}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(units::display_width(line), width) << width << line;
  }
}

TEST(Table, PutsProseBelowWhereItHasNoRoomForWords) {
  Table table({{"advice"}, {"holds", Align::left, Fold::prose}});
  table.row({"fuse-reduce-and-transform", "pays at 3, no difference at 3 of 6"});
  table.row({"graphs", "pays"});

  EXPECT_EQ(as_text(table, {.columns = 57}),
            "advice                     holds\n"
            "fuse-reduce-and-transform  pays at 3, no difference at 3\n"
            "                           of 6\n"
            "graphs                     pays\n");
  EXPECT_EQ(as_text(table, {.columns = 50}),
            "advice\n"
            "fuse-reduce-and-transform\n"
            "    pays at 3, no difference at 3 of 6\n"
            "graphs\n"
            "    pays\n");
}

TEST(Table, WrapsTheColumnThatMayBeWrapped) {
  Table table({{"name", Align::left, Fold::wrapped}, {"time", Align::right}});
  table.row({"several words that are long", "1.00 us"});
  table.row({"https://without.any.blank", "2.00 us"});

  EXPECT_EQ(as_text(table, {.columns = 24}),
            "name                time\n"
            "several words    1.00 us\n"
            "that are long\n"
            "https://         2.00 us\n"
            "without.any.bla\n"
            "nk\n");
}

TEST(Table, WrapsAllCellsWhereNothingElseGivesWay) {
  Table table({{"name"}, {"interval"}, {"verdict"}});
  table.row({"a/long/name", "[0.988, 1.012]", "INCONCLUSIVE"});

  EXPECT_EQ(as_text(table, {.columns = 35}),
            "name         interval  verdict\n"
            "a/long/name  [0.988,   INCONCLUSIVE\n"
            "             1.012]\n");
  EXPECT_EQ(as_text(table, {.columns = 24}),
            "name    interva  verdict\n"
            "        l\n"
            "a/      [0.988,  INCONCL\n"
            "long/   1.012]   USIVE\n"
            "name\n");
}

TEST(Table, IndentsTheRestOfANameThatHasALineOfItsOwn) {
  Table table({{"benchmark", Align::left, Fold::above}, {"advice", Align::left, Fold::below}});
  table.row({"family/operation/impl:a/size:1", "graphs (before)"});

  EXPECT_EQ(as_text(table, {.columns = 30}),
            "benchmark\n"
            "family/operation/impl:a/size:1\n"
            "    graphs (before)\n");
  EXPECT_EQ(as_text(table, {.columns = 26}),
            "benchmark\n"
            "family/operation/\n"
            "        impl:a/size:1\n"
            "      graphs (before)\n");
}

TEST(Table, ColoursTheCellsThatHaveABadgeAndNothingBesides) {
  Table table({{"verdict"}, {"name"}});
  table.badges = {{"SLOWER", Badge::bad}};
  table.row({"SLOWER", "SLOWER or not"});
  table.row({"SAME", "b"});

  EXPECT_EQ(as_text(table, {.columns = 80, .colour = true}),
            "verdict  name\n\x1b[31mSLOWER\x1b[0m   SLOWER or not\nSAME     b\n");
}

TEST(Table, PartsNoVerdictWhereACellIsWrapped) {
  Table table({left("where"), verdicts("verdict", Fold::wrapped)});
  table.badges = {{"pays at some", Badge::good}, {"harms", Badge::bad}};
  table.row({"here", "own runs: pays at some, harms"});
  const std::string plain =
      "where  verdict\n"
      "here   own runs:\n"
      "       pays at some,\n"
      "       harms\n";

  EXPECT_EQ(as_text(table, {.columns = 24}), plain);
  EXPECT_EQ(as_text(table, {.columns = 24, .colour = true}),
            "where  verdict\n"
            "here   own runs:\n"
            "       \x1b[32mpays at some\x1b[0m,\n"
            "       \x1b[31mharms\x1b[0m\n");
}

TEST(Table, PartsNoVerdictInALineOfItsOwn) {
  Table table({left("where"), verdicts("verdict", Fold::always_below)});
  table.badges = {{"pays at some", Badge::good}};
  table.row({"here", "own benchmarks: pays at some"});

  EXPECT_EQ(as_text(table, {.columns = 28, .colour = true}),
            "where\n"
            "here\n"
            "    own benchmarks:\n"
            "    \x1b[32mpays at some\x1b[0m\n");
}

TEST(Table, LosesNothingInAFile) {
  std::vector<Column> columns;
  for (int i = 0; i < 300; ++i) columns.push_back({"a column", Align::left, Fold::none, 1});
  Table table(columns);
  table.row(std::vector<std::string>(300, "0123456789"));

  EXPECT_TRUE(left_out(table, kAnyWidth).empty());
  EXPECT_GT(as_text(table).find('\n'), 3000u);
}

TEST(Table, RefusesARowOfAnotherLength) {
  Table table({{"name"}, {"time"}});

  EXPECT_THROW(table.row({"a"}), std::invalid_argument);
}

}  // namespace
}  // namespace cupel::report
