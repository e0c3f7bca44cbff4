#include "cupel/report/show/pivot_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cupel/record/record.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/report/show/show.hpp"

namespace cupel::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A square product of n in one precision, that runs at so many TFLOP/s.
record::Row product(const std::string& precision, std::int64_t n, double tflops, double error) {
  record::Row row;
  row.name = "gemm/square/precision:" + precision + "/n:" + std::to_string(n);
  row.family = "gemm";
  row.workload.flops = 2 * n * n * n;
  row.limit = record::Limit{precision, "flops", 1000e12, "made up"};
  row.counters["relative_error"] = {error, "1", record::Better::lower, false};
  record::Series series;
  series.mode = record::Mode::cold;
  series.samples_s.assign(8, static_cast<double>(row.workload.flops) / (tflops * 1e12));
  row.series = {series};
  return row;
}

record::Row unmeasured(record::Row row, record::Status status, const std::string& reason) {
  row.status = status;
  row.reason = reason;
  row.series.clear();
  return row;
}

record::ResultSet products() {
  return {{},
          {product("fp32", 1024, 33.8, 2.04e-7), product("fp32", 8192, 50.9, 5.7e-7),
           product("fp16", 1024, 239, 2.1e-4), product("fp16", 8192, 628, 2.1e-4)}};
}

std::optional<PivotTable> table_of(const std::vector<figures::Figure>& all, Metric metric = Metric::automatic) {
  return pivot_table(*figures::pivot(figures::alike(all).front(), "precision"), metric);
}

// Without the words around it.
std::string rows_of(const std::optional<PivotTable>& pivot, std::size_t columns) {
  Table table = pivot.value().table;
  table.title.clear();
  table.notes.clear();
  return as_text(table, {.columns = columns});
}

TEST(PivotTable, HasSpeedAndErrorInOneRow) {
  const auto all = figures::figures_of(products());

  const auto table = table_of(all);

  EXPECT_EQ(table->table.title, "gemm/square: TFLOP/s in bursts by precision, relative error in parentheses");
  EXPECT_EQ(rows_of(table, 100),
            "     n           fp32          fp16\n"
            "  1024  33.8 (2.0e-7)  239 (2.1e-4)\n"
            "  8192  50.9 (5.7e-7)  628 (2.1e-4)\n");
}

TEST(PivotTable, HasTimesOrSharesOfTheLimitWhenAsked) {
  const auto all = figures::figures_of(products());

  EXPECT_THAT(rows_of(table_of(all, Metric::time), 100), HasSubstr("8192  21.6 ms (5.7e-7)"));
  EXPECT_THAT(table_of(all, Metric::limit)->table.title, HasSubstr(": % of limit by precision"));
  EXPECT_THAT(rows_of(table_of(all, Metric::limit), 100), HasSubstr("62.8 (2.1e-4)"));
}

TEST(PivotTable, MarksWhatCouldNotBeMeasuredAndSaysWhyBelow) {
  record::ResultSet results = products();
  results.rows[2] = unmeasured(results.rows[2], record::Status::skipped, "no memory");
  results.rows[1] = unmeasured(results.rows[1], record::Status::failed, "wrong result");
  const auto all = figures::figures_of(results);

  const auto table = table_of(all);

  EXPECT_THAT(table->table.notes, ElementsAre("[1] skipped: no memory", "[2] failed: wrong result"));
  EXPECT_EQ(rows_of(table, 100),
            "     n               fp32              fp16\n"
            "  1024  33.8 (2.0e-7)        -          [1]\n"
            "  8192     -          [2]  628 (2.1e-4)\n");
}

TEST(PivotTable, MarksFiguresOfAnotherModeThanMost) {
  record::ResultSet results = products();
  results.rows[2].series[0].mode = record::Mode::hot;
  results.rows[2].below_floor = true;
  const auto all = figures::figures_of(results);

  EXPECT_THAT(rows_of(table_of(all), 100), HasSubstr("1024  33.8 (2.0e-7)  239 (2.1e-4) [1]\n"));
  EXPECT_THAT(table_of(all)->table.notes,
              ElementsAre("[1] hot (device time of calls back to back)",
                          "other cells: cold (device time of one launch after a flush of the L2)"));
  EXPECT_TRUE(table_of(all)->mixes_modes);
}

TEST(PivotTable, HasNoFigureOfATimeBelowTheFloor) {
  record::ResultSet results = products();
  results.rows[2].below_floor = true;
  const auto all = figures::figures_of(results);

  EXPECT_THAT(rows_of(table_of(all), 100), HasSubstr("1024  33.8 (2.0e-7)    - (2.1e-4) [1]\n"));
  EXPECT_THAT(table_of(all)->table.notes, ElementsAre("[1] below floor"));
}

TEST(PivotTable, MarksNoModeWhereAllFiguresHaveOne) {
  record::ResultSet results = products();
  for (record::Row& row : results.rows) row.series[0].mode = record::Mode::hot;
  const auto all = figures::figures_of(results);

  EXPECT_THAT(table_of(all)->table.notes, testing::IsEmpty());
  EXPECT_FALSE(table_of(all)->mixes_modes);
}

TEST(PivotTable, MarksNoModeOfWhatIsNoTime) {
  record::ResultSet results = products();
  for (record::Row& row : results.rows) {
    row.advice = {{"empty-cache-room", record::Role::after, "holes", "pool"}};
    row.counters = {{"largest_block", {2097152, "bytes", record::Better::higher}}};
  }
  results.rows[0].series[0].mode = record::Mode::hot;
  const auto all = figures::figures_of(results);

  EXPECT_THAT(table_of(all)->table.notes, testing::IsEmpty());
}

TEST(Show, SaysTheModesOfAListWhereTheyDifferAndWhatTheyMean) {
  record::ResultSet results = products();
  EXPECT_THAT(show(results, {}), HasSubstr("\ngemm/square  cold\n"));
  results.rows[3].series[0].mode = record::Mode::hot;

  EXPECT_THAT(show(results, {}), testing::ContainsRegex("precision:fp32 n:1024 .* cold\n"));
  EXPECT_THAT(show(results, {}), testing::ContainsRegex("precision:fp16 n:8192 .* hot\n"));
  EXPECT_THAT(show(results, {.legend = true}), HasSubstr("hot: device time of calls back to back"));
}

TEST(PivotTable, SaysAnotherQuantityWithItsUnit) {
  record::ResultSet results = products();
  record::Row whole = product("int8", 1024, 400, 0);
  std::swap(whole.workload.flops, whole.workload.items);
  whole.limit->quantity = "items";
  results.rows.push_back(whole);
  const auto all = figures::figures_of(results);

  EXPECT_THAT(rows_of(table_of(all), 100), HasSubstr("400 T/s (0)"));
}

TEST(PivotTable, HasTheCounterThatItIsJudgedByUnlessAskedForAnother) {
  record::ResultSet results = products();
  for (record::Row& row : results.rows) {
    row.advice = {{"empty-cache-room", record::Role::after, "holes", "pool"}};
    row.counters = {{"largest_block", {2097152, "bytes", record::Better::higher}}};
  }
  const auto all = figures::figures_of(results);

  EXPECT_EQ(table_of(all)->table.title, "gemm/square: largest_block by precision");
  EXPECT_THAT(rows_of(table_of(all), 100), HasSubstr("8192  2 MiB  2 MiB"));
  EXPECT_THAT(rows_of(table_of(all, Metric::time), 100), HasSubstr("8192  21.6 ms"));
}

TEST(PivotTable, SaysOfArithmeticWhetherItWentOn) {
  const auto title_in = [](record::Mode mode) {
    record::ResultSet results = products();
    for (record::Row& row : results.rows) row.series.front().mode = mode;
    return table_of(figures::figures_of(results), Metric::rate)->table.title;
  };

  EXPECT_THAT(title_in(record::Mode::hot), HasSubstr("gemm/square: TFLOP/s in bursts by precision"));
  EXPECT_THAT(title_in(record::Mode::sustained), HasSubstr("gemm/square: TFLOP/s sustained by precision"));
  EXPECT_THAT(title_in(record::Mode::host), HasSubstr("gemm/square: TFLOP/s by precision"));
}

TEST(PivotTable, HasTimesWhereTheWorkIsIncidentalUnlessAskedForRates) {
  record::ResultSet results = products();
  for (record::Row& row : results.rows) row.advice = {{"avoid-sync", record::Role::variant, "step", ""}};
  const auto all = figures::figures_of(results);

  EXPECT_THAT(table_of(all)->table.title, HasSubstr("gemm/square: time by precision"));
  EXPECT_THAT(table_of(all, Metric::rate)->table.title, HasSubstr("gemm/square: TFLOP/s in bursts by precision"));
}

TEST(Show, ListsNoRateOfIncidentalWork) {
  record::ResultSet results;
  results.rows = {product("fp32", 256, 50, 5e-7)};
  EXPECT_THAT(show(results, {}), HasSubstr("50.0 TFLOP/s"));
  results.rows[0].advice = {{"avoid-sync", record::Role::variant, "step", ""}};

  EXPECT_THAT(show(results, {}), Not(HasSubstr("TFLOP/s")));
}

TEST(PivotTable, CountsOperationsWhereMemoryIsTheLimitOfAFewRows) {
  record::ResultSet results = products();
  results.rows[0].limit = record::Limit{"device memory", "bytes", 4.8e12, "made up"};
  results.rows[0].workload.bytes_read = 1000;
  const auto all = figures::figures_of(results);

  EXPECT_THAT(rows_of(table_of(all), 100), HasSubstr("33.8 (2.0e-7)"));
}

TEST(PivotTable, LeavesOutAColumnThatThisDeviceLacks) {
  record::ResultSet results = products();
  for (const std::int64_t n : {1024, 8192}) {
    results.rows.push_back(unmeasured(product("fp4", n, 1, 0), record::Status::skipped, "wants 10.0"));
  }
  const auto all = figures::figures_of(results);

  EXPECT_THAT(rows_of(table_of(all), 100), Not(HasSubstr("fp4")));
  EXPECT_EQ(table_of(all)->members.size(), 4u);
}

TEST(PivotTable, IsNoneOfSharesWhereThereIsNoLimit) {
  record::ResultSet results = products();
  for (record::Row& row : results.rows) row.limit.reset();
  const auto all = figures::figures_of(results);

  EXPECT_FALSE(table_of(all, Metric::limit));
  EXPECT_TRUE(table_of(all, Metric::time));
}

record::ResultSet products_of_two_limits() {
  record::ResultSet results = products();
  for (record::Row& row : results.rows) row.workload.bytes_read = 1000;
  results.rows[0].limit = results.rows[2].limit = record::Limit{"device memory", "bytes", 4.8e12, "made up"};
  return results;
}

TEST(PivotTable, MarksSharesOfAnotherLimitThanMostOfTheirColumn) {
  const auto all = figures::figures_of(products_of_two_limits());
  const auto shares = table_of(all, Metric::limit);

  EXPECT_THAT(rows_of(shares, 100), testing::ContainsRegex("8192 .*\\[1\\] .*\\[2\\]\n"));
  EXPECT_THAT(shares->table.notes,
              ElementsAre("[1] of fp32", "[2] of fp16", "limit where none is named: device memory"));
  EXPECT_THAT(table_of(all, Metric::rate)->table.notes, testing::IsEmpty());
}

TEST(PivotTable, SaysTheLimitOfEachColumnWhereTheyDiffer) {
  record::ResultSet results = products_of_two_limits();
  results.rows[2].limit = results.rows[3].limit;
  const auto all = figures::figures_of(results);

  EXPECT_THAT(table_of(all, Metric::limit)->table.notes,
              ElementsAre("[1] of fp32", "limit where none is named: device memory (fp32); fp16 (fp16)"));
}

TEST(Show, HasTheLimitOfEachLineUnlessTheHeadingHasItForAll) {
  record::ResultSet results = products_of_two_limits();
  results.rows[1].limit->name = "fp32 at 1980 MHz";

  EXPECT_THAT(show(results, {}), testing::ContainsRegex("n:1024 .* %  device memory  "));
  EXPECT_THAT(show(results, {}), testing::ContainsRegex("n:8192 .* %  fp32  "));
  for (record::Row& row : results.rows) row.limit = results.rows[0].limit;
  EXPECT_THAT(show(results, {}), HasSubstr("gemm/square  of device memory, cold\n"));
}

TEST(PivotTable, GoesOnBelowWhereTheTerminalIsNarrow) {
  const auto all = figures::figures_of(products());
  const auto table = table_of(all);

  EXPECT_EQ(rows_of(table, 24),
            "     n           fp32\n"
            "  1024  33.8 (2.0e-7)\n"
            "  8192  50.9 (5.7e-7)\n"
            "     n          fp16\n"
            "  1024  239 (2.1e-4)\n"
            "  8192  628 (2.1e-4)\n");
  EXPECT_EQ(height_of(table->table, 24), 6u);
  EXPECT_EQ(height_of(table->table, 12), 0u);  // not one column fits
}

TEST(PivotTable, RepeatsOnlyTheRowsThatHaveSomethingInTheColumnsBelow) {
  record::ResultSet results = products();
  results.rows.pop_back();
  const auto all = figures::figures_of(results);

  EXPECT_THAT(rows_of(table_of(all), 24), testing::EndsWith("     n          fp16\n  1024  239 (2.1e-4)\n"));
  EXPECT_EQ(height_of(table_of(all)->table, 24), 5u);
}

TEST(PivotTable, NeverIsWiderThanTheTerminal) {
  const auto all = figures::figures_of(products());

  for (std::size_t width = 22; width < 60; ++width) {
    std::istringstream lines(rows_of(table_of(all), width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width);
  }
}

TEST(Error, IsSaidInTwoDigits) {
  EXPECT_EQ(error_text(2.04e-7), "2.0e-7");
  EXPECT_EQ(error_text(1.23e-12), "1.2e-12");
  EXPECT_EQ(error_text(0), "0");
}

// Two precisions at seven sizes.
record::ResultSet many() {
  record::ResultSet results;
  for (std::int64_t n = 256; n <= 16384; n *= 2) {
    results.rows.push_back(product("fp32", n, 50, 5e-7));
    results.rows.push_back(product("fp16", n, 600, 2e-4));
  }
  return results;
}

TEST(Show, TabulatesALongOperationAndListsAShortOne) {
  const std::string of_many = show(many(), {.legend = true}), of_few = show(products(), {});

  EXPECT_THAT(of_many, HasSubstr("gemm/square: TFLOP/s in bursts by precision"));
  EXPECT_THAT(of_many, HasSubstr("--flat lists each benchmark"));
  EXPECT_THAT(of_few, HasSubstr("precision:fp16 n:8192"));
  EXPECT_THAT(of_few, HasSubstr("2.1e-4"));
}

TEST(Show, ListsEverythingWhenAskedTo) {
  for (const ShowOptions& options :
       {ShowOptions{.flat = true}, ShowOptions{.all = true}, ShowOptions{.sort = Sort::time}}) {
    EXPECT_THAT(show(many(), options), Not(HasSubstr("by precision")));
  }
}

TEST(Show, TabulatesAShortOperationWhenAskedTo) {
  EXPECT_THAT(show(products(), {.across = "n"}), HasSubstr("gemm/square: TFLOP/s in bursts by n"));
  EXPECT_THAT(show(products(), {.metric = Metric::time}), HasSubstr("gemm/square: time by"));
}

// Names of 60 characters and more.
record::Row convolution(const std::string& rule, const std::string& layer) {
  record::Row row = product("fp16", 64, 100, 2e-4);
  row.name = "conv/choice/chosen_by:" + rule + "/pass:forward/layer:" + layer + "/precision:fp16/layout:nhwc/batch:64";
  return row;
}

TEST(Show, TabulatesWhatIsTooWideForTheTerminal) {
  const record::ResultSet results{
      {}, {convolution("a", "x"), convolution("a", "y"), convolution("b", "x"), convolution("b", "y")}};

  const std::string text = show(results, {});

  EXPECT_THAT(text, HasSubstr("conv/choice pass:forward precision:fp16 layout:nhwc batch:64: TFLOP/s in bursts by"));
}

TEST(Show, SaysOnceWhatWouldMakeAListTooWide) {
  const record::ResultSet results{{}, {convolution("a", "x"), convolution("b", "y")}};

  const std::string text = show(results, {});

  EXPECT_THAT(
      text,
      HasSubstr(
          "\nconv/choice pass:forward precision:fp16 layout:nhwc batch:64  of fp16, cold\n  chosen_by:a layer:x  "));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u);
}

TEST(Show, KeepsOperationsTogether) {
  record::ResultSet results = products();
  record::Row other = results.rows.front();
  other.name = "gemm/other/n:1";
  results.rows.insert(results.rows.begin() + 1, other);

  const std::string text = show(results, {});

  EXPECT_EQ(text.find("gemm/square"), text.rfind("gemm/square"));
  EXPECT_GT(text.find("gemm/other"), text.rfind("precision:"));
}

TEST(Show, SaysThatAFileHasNoBenchmark) {
  EXPECT_THAT(show({}, {}), testing::EndsWith("\nNo benchmark was measured.\n"));
  EXPECT_THAT(show({}, {.format = Format::markdown}), testing::EndsWith("\nNo benchmark was measured.\n"));
}

TEST(Show, SaysHowManyBenchmarksArePowerLimitedAndThatItIsNoFault) {
  record::ResultSet results = many();
  for (record::Row& row : results.rows) row.telemetry.emplace();
  EXPECT_THAT(show(results, {}), Not(HasSubstr("power limit")));
  results.rows[0].telemetry->throttle_reasons = {"sw_power_cap"};
  const ShowOptions wide{.terminal = {200}};
  const auto is_other = [](const std::string& name) { return name.find("fp16") != std::string::npos; };

  EXPECT_THAT(show(results, wide), HasSubstr("power: 7 % of the benchmarks ran at the power limit (1 of 14"));
  EXPECT_THAT(show(results, wide), HasSubstr("normal"));
  EXPECT_THAT(show(results, {.keep = is_other}), Not(HasSubstr("power limit")));
}

TEST(Show, ListsTheCounterByWhichAdviceJudgesAndNoOther) {
  record::ResultSet results;
  results.rows = {product("fp32", 256, 50, 5e-7)};
  results.rows[0].counters["largest_block"] = {2097152, "bytes", record::Better::higher};
  results.rows[0].counters["free_bytes"] = {4194304, "bytes"};
  EXPECT_THAT(show(results, {}), Not(HasSubstr("largest_block")));
  results.rows[0].advice = {{"empty-cache-room", record::Role::after, "holes", "pool"}};

  EXPECT_THAT(show(results, {}), HasSubstr("largest_block 2 MiB"));
  EXPECT_THAT(show(results, {}), Not(HasSubstr("free_bytes")));
}

TEST(Show, SaysWhatAFigureAboveItsLimitMeans) {
  record::ResultSet results = many();
  results.rows[0] = product("fp32", 256, 1100, 5e-7);
  const ShowOptions flat{.flat = true, .terminal = {200}, .legend = true};

  EXPECT_THAT(show(many(), {.legend = true}), Not(HasSubstr("above the limit")));
  EXPECT_THAT(show(results, {}), HasSubstr("  [1] above the limit\n"));
  EXPECT_THAT(show(results, flat), testing::ContainsRegex("110 %  fp32   5.0e-7\n +above the limit\n"));
  EXPECT_THAT(show(results, flat), HasSubstr("above the limit: the method needs fewer operations or bytes than are "
                                             "counted (transforms, caches), or the time is wrong."));
}

TEST(Show, TellsOfASkipOnce) {
  record::ResultSet results = many();
  results.rows.back() = unmeasured(results.rows.back(), record::Status::skipped, "no memory");

  const std::string text = show(results, {});

  EXPECT_THAT(text, HasSubstr("[1] skipped: no memory"));
  EXPECT_THAT(text, Not(HasSubstr("skipped (1)")));
}

}  // namespace
}  // namespace cupel::report
