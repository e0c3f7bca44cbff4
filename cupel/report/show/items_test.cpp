#include "cupel/record/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cupel/report/show/show.hpp"

namespace cupel::report {
namespace {

using testing::HasSubstr;
using testing::Not;

record::Row search(const std::string& name, int process) {
  record::Row row;
  row.name = name;
  row.family = "conv";
  row.process = process;
  record::Series series;
  series.samples_s = {0.1};
  row.series = {series};
  return row;
}

// Two engines that were timed, in three processes, and two that were not.
record::ResultSet searches() {
  record::ResultSet results;
  for (int process = 0; process < 3; ++process) {
    record::Row row = search("conv/engines/pass:forward", process);
    const auto add = [&](const std::string& name, double value, const std::string& unit) {
      row.counters[name] = {value, unit, record::Better::none, false};
    };
    add("plans", 4, "count");
    add("eng1/time", 2e-3 + 1e-3 * process, "s");
    add("eng2_k=1/time", 5e-4, "s");
    for (const char* engine : {"eng1", "eng2_k=1", "eng10", "eng9"})
      add(std::string(engine) + "/workspace", 1024, "bytes");
    add("eng1/relative_error", 0, "1");
    add("eng2_k=1/relative_error", 2.1e-4, "1");
    add("eng1/deterministic", 1, "1");
    add("eng2_k=1/deterministic", 0, "1");
    add("eng1/reduces_precision", 0, "1");
    add("eng2_k=1/reduces_precision", 1, "1");
    add("eng1/rounds_partial_sums", 0, "1");
    results.rows.push_back(row);
  }
  return results;
}

TEST(ShowItems, HasARowForEachTheFastestFirstAndThoseWithoutATimeLast) {
  EXPECT_EQ(show_items(searches(), {}),
            "conv/engines/pass:forward: 4 items  plans 4\n"
            "item         time   error  workspace  flags\n"
            "eng2_k=1   500 us  2.1e-4      1 KiB  -r.\n"
            "eng1      3.00 ms       0      1 KiB  d--\n"
            "eng9                           1 KiB  ...\n"
            "eng10                          1 KiB  ...\n"
            "flags: d deterministic, r reduces_precision, p rounds_partial_sums; - is no, . unknown\n");
}

TEST(ShowItems, NeverIsWiderThanTheTerminalAndSaysWhatIsLeftOut) {
  const std::string text = show_items(searches(), {.terminal = {36}});

  EXPECT_THAT(text, HasSubstr("item         time   error  flags\n"));
  EXPECT_THAT(text, HasSubstr("In every row: workspace 1 KiB.\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 36u);
}

TEST(ShowItems, IsOfTheChosenBenchmarksThatHaveSome) {
  record::ResultSet results = searches();
  results.rows.push_back(search("conv/other", 0));
  const auto others = [](const std::string& name) { return name == "conv/other"; };

  EXPECT_THAT(show_items(results, {}), Not(HasSubstr("conv/other")));
  EXPECT_EQ(show_items(results, {.keep = others}), "");
}

TEST(ShowItems, IsMarkdownWhenAskedTo) {
  EXPECT_THAT(show_items(searches(), {.format = Format::markdown}), HasSubstr("| eng2\\_k=1 | 500 us |"));
}

TEST(ShowItems, AreForProgramsWithAllCountersInTheSameOrder) {
  const std::string json = show_items(searches(), {.format = Format::json});

  EXPECT_THAT(json, HasSubstr(R"({"item":"eng2_k=1","counters":{"deterministic":{"value":0.0,"unit":"1"},)"));
  EXPECT_THAT(json, HasSubstr(R"("counters":{"plans":{"value":4.0,"unit":"count"}})"));
  EXPECT_LT(json.find("eng2_k=1"), json.find("eng10"));
  EXPECT_EQ(show_items(searches(), {.format = Format::json, .keep = [](const std::string&) { return false; }}), "");
}

TEST(ShowItems, AValueThatIsNotYesOrNoHasAColumn) {
  record::ResultSet results = searches();
  for (record::Row& row : results.rows) row.counters["eng1/deterministic"].value = 0.5;

  EXPECT_THAT(show_items(results, {}), HasSubstr("time  deterministic"));
}

TEST(Show, NamesTheWayToItemsAndDoesNotListThemAsNotes) {
  EXPECT_THAT(show(searches(), {}), HasSubstr("items: --items lists what conv/engines tried one by one."));
  EXPECT_THAT(show(searches(), {.all = true}), HasSubstr("plans 4, 4 items\n"));
  EXPECT_THAT(show({{}, {search("conv/other", 0)}}, {}), Not(HasSubstr("--items")));
}

}  // namespace
}  // namespace cupel::report
