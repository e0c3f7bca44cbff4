#include "cupel/figures/figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "cupel/figures/quantity.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/figures/synthetic.hpp"

namespace cupel::figures {
namespace {

using ::testing::Contains;

record::ResultSet three_processes() { return {{}, rows_of("f/x", {1e-6, 2e-6, 9e-6})}; }

TEST(FiguresOf, GiveWhatTheExampleOfTheHeaderPrints) {
  const record::ResultSet results = three_processes();
  testing::internal::CaptureStdout();

  for (const Figure& figure : figures_of(results)) {
    if (figure.time) std::printf("%s: %g s\n", figure.name.c_str(), figure.time->location_s);
  }

  EXPECT_EQ(testing::internal::GetCapturedStdout(), "f/x: 2e-06 s\n");
}

TEST(Figure, IsOfTheProcessesThatWereNotDisturbed) {
  record::ResultSet results = three_processes();
  results.rows[2].disturbed = true;

  const Figure figure = figures_of(results).front();

  EXPECT_DOUBLE_EQ(figure.time->location_s, 1.5e-6);
  EXPECT_EQ(figure.time->processes_s.size(), 2u);
  EXPECT_EQ(figure.ok, 3);
  EXPECT_THAT(figure.caveats, Contains("1 of 3 disturbed"));
}

TEST(Figure, IsOfAllProcessesWhereNoneIsWithoutFault) {
  record::ResultSet results = three_processes();
  for (record::Row& row : results.rows) row.disturbed = true;

  const Figure figure = figures_of(results).front();

  EXPECT_DOUBLE_EQ(figure.time->location_s, 2e-6);
  EXPECT_THAT(figure.caveats, Contains("disturbed"));
}

TEST(Figure, HasTheTimesThatASuiteHasOfTheSameRows) {
  record::ResultSet results = three_processes();
  results.rows[0].cut_short = true;

  const Suite suite = suite_of(results, "");

  EXPECT_EQ(figures_of(results).front().time->processes_s, suite.benchmarks.front().modes.front().values_s);
}

// Three processes whose single calls cannot be told from the floor, with their batches back to back.
record::ResultSet below_the_floor() {
  record::ResultSet results = three_processes();
  for (record::Row& row : results.rows) {
    row.below_floor = true;
    row.workload.bytes_read = 1000;
    row.limit = record::Limit{"memory", "bytes", 4e9, "made up"};
    row.series.push_back(row.series.front());
    row.series.back().mode = record::Mode::hot;
  }
  return results;
}

TEST(Figure, OfATimeBelowTheFloorHasNoRateAndCannotBeHeldAgainstOtherSizes) {
  const std::vector<Figure> figures = figures_of(below_the_floor());

  const Figure &cold = figures.at(0), &hot = figures.at(1);
  EXPECT_TRUE(cold.below_floor && cold.time && !cold.rate);
  EXPECT_THAT(cold.caveats, Contains("below floor"));
  EXPECT_FALSE(value_of(cold, Quantity::time) || value_of(cold, Quantity::bytes));
  EXPECT_FALSE(hot.below_floor) << "a batch is long beside the floor";
  EXPECT_TRUE(hot.rate && value_of(hot, Quantity::bytes));
  EXPECT_THAT(hot.caveats, ::testing::IsEmpty());
}

TEST(Figure, OfATimeBelowTheFloorDoesNotDecideByWhatItsOperationIsKnown) {
  record::ResultSet results = below_the_floor();
  for (record::Row row : rows_of("f/y", {1e-3, 2e-3, 9e-3})) {
    row.workload.bytes_read = 1000;
    results.rows.push_back(row);
  }
  std::vector<const Figure*> members;
  const std::vector<Figure> figures = figures_of(results);
  for (const Figure& figure : figures) {
    if (figure.is_main) members.push_back(&figure);
  }

  EXPECT_EQ(quantity_of(members), Quantity::bytes);
  EXPECT_EQ(quantity_of(std::span(members).first(1)), Quantity::time);
}

TEST(Figure, SaysInWhatItsWorkIsUnusual) {
  record::ResultSet results = three_processes();
  for (record::Row& row : results.rows) row.unusual = record::kOfZeros;

  const Figure figure = figures_of(results).front();

  EXPECT_EQ(figure.unusual, "inputs are zeros");
  EXPECT_THAT(figure.caveats, Contains("inputs are zeros"));
  EXPECT_TRUE(figure.warnings.contains(Warning::unusual));
}

TEST(Figure, OfHostTimesSaysThatThereAreTwoStatesAndThatTheFirstProcessWasCold) {
  record::ResultSet results{{}, rows_of("f/states", {30e-6, 66e-6, 31e-6, 65e-6, 30.5e-6, 66.5e-6})};
  append(results, rows_of("f/cold", {1.14, 0.137, 0.138, 0.146, 0.135}));
  const std::vector<Figure> of_device = figures_of(results);
  for (record::Row& row : results.rows) row.series.front().mode = record::Mode::host;

  const std::vector<Figure> of_host = figures_of(results);

  EXPECT_THAT(of_host.at(0).caveats, Contains("two states: 2.2x apart"));
  EXPECT_THAT(of_host.at(1).caveats, Contains("cold start: 7.8x"));
  for (const Figure& figure : of_device) EXPECT_THAT(figure.caveats, ::testing::IsEmpty());
}

TEST(Figure, OfSevenRowsOfOneProcessIsOfOneProcess) {
  record::ResultSet results{{}, rows_of("f/x", {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 9e-6})};
  std::int64_t samples = 0;
  for (record::Row& row : results.rows) {
    row.process = 0;
    samples += std::ssize(row.series.front().samples_s);
  }

  const Figure figure = figures_of(results).front();

  EXPECT_EQ(figure.ok, 1);
  EXPECT_EQ(figure.time->processes_s.size(), 1u);
  EXPECT_FALSE(figure.time->across_processes);
  EXPECT_EQ(figure.noise->between, std::nullopt);
  EXPECT_EQ(figure.samples, samples);
  EXPECT_THAT(figure.caveats, Contains("7 rows of 1 process"));

  results.rows[4].status = record::Status::failed;
  results.rows[4].reason = "why";
  const Figure failed = figures_of(results).front();
  EXPECT_EQ(failed.ok, 0);
  EXPECT_EQ(failed.failed, 1);
  EXPECT_EQ(failed.reason, "why");
}

TEST(Figure, OfLatenciesIsKnownByTheTimeOfAnAccess) {
  record::ResultSet results{{}, rows_of("memory/limits/latency/bytes:4096", {1e-3, 1e-3})};
  for (record::Row& row : results.rows) row.workload.items = 100'000;
  const std::vector<Figure> figures = figures_of(results);
  const Figure* const one[] = {&figures.front()};

  const Quantity quantity = quantity_of(one);

  EXPECT_EQ(quantity.kind, Quantity::per_access);
  EXPECT_EQ(value_text(value_of(figures.front(), quantity)->location, quantity), "10.0 ns/access");
}

TEST(Figures, OfLatenciesOfWhichSomeCountNoAccessAreKnownByTheirTime) {
  record::ResultSet results;
  for (const char* name : {"m/latency/bytes:1", "m/latency/bytes:2", "m/latency/bytes:3"}) {
    append(results, rows_of(name, {1e-3, 1e-3}));
  }
  for (std::size_t i = 2; i < results.rows.size(); ++i) results.rows[i].workload.items = 1000;
  const std::vector<Figure> figures = figures_of(results);
  const Figure* const all[] = {&figures[0], &figures[1], &figures[2]};

  EXPECT_EQ(quantity_of(all).kind, Quantity::time);
  EXPECT_EQ(quantity_of(std::span(all).last(2)).kind, Quantity::per_access);
}

TEST(Figure, OfAnAccessThatNoAxisCanShowHasItsRate) {
  record::ResultSet results{{}, rows_of("memory/chase", {1e-15, 1e-15})};
  for (record::Row& row : results.rows) row.workload.items = std::int64_t{1} << 62;

  EXPECT_THAT(known_rate_text(figures_of(results).front()), ::testing::EndsWith("/s"));
}

// Small products are held against memory, large ones against the peak; those of int8 count no floating-point numbers.
TEST(Figures, OfOneOperationAreKnownByTheRateThatMostHave) {
  record::ResultSet results;
  for (const char* name : {"f/square/n:256", "f/square/n:1024", "f/square/n:4096", "f/square/int8/n:4096"}) {
    append(results, rows_of(name, {1e-3, 1e-3}));
    for (record::Row& row : results.rows) {
      if (row.name != name) continue;
      const bool is_int8 = row.name.find("int8") != std::string::npos;
      (is_int8 ? row.workload.items : row.workload.flops) = 1'000'000;
      row.workload.bytes_read = 4000;
      const bool is_small = row.name.ends_with(":256");
      row.limit = record::Limit{"roof", is_small ? "bytes" : is_int8 ? "items" : "flops", 1e12, "invented"};
    }
  }
  const std::vector<Figure> figures = figures_of(results);
  std::vector<const Figure*> all;
  for (const Figure& one : figures) all.push_back(&one);

  EXPECT_EQ(usual_rate(all), "flops");
  EXPECT_EQ(quantity_of(all).kind, Quantity::flops);
  EXPECT_DOUBLE_EQ(value_of(figures[0], Quantity::flops)->location, 1e9);
  EXPECT_EQ(value_of(figures[0], Quantity::flops)->limit, std::nullopt) << "that is one of bytes";
  EXPECT_EQ(value_of(figures[2], Quantity::flops)->limit, 1e12);
  EXPECT_EQ(value_of(figures[3], Quantity::flops), std::nullopt);
}

TEST(Warnings, EachHasAMeaningOfItsOwn) {
  std::set<std::string> meanings;
  for (std::size_t i = 0; i < names_of(Warning()).size(); ++i) meanings.insert(meaning_of(static_cast<Warning>(i)));

  EXPECT_EQ(meanings.size(), names_of(Warning()).size());
  EXPECT_FALSE(meanings.contains(""));
}

// Files that were written before a benchmark said the share have what it is made of.
TEST(UsableShare, IsMadeOfTheLargestBlockAndTheFreeBytesWhereARowHasNone) {
  record::Row row;
  EXPECT_FALSE(counter_of(row, kUsableShare));

  row.counters["free_bytes"] = {400, "bytes", record::Better::none, false};
  EXPECT_FALSE(counter_of(row, kUsableShare));
  row.counters["largest_block"] = {100, "bytes", record::Better::higher, false};
  EXPECT_EQ(counter_of(row, kUsableShare), (record::Counter{0.25, "1", record::Better::higher, false}));

  row.counters[kUsableShare] = {0.5, "1", record::Better::higher, false};
  EXPECT_EQ(counter_of(row, kUsableShare)->value, 0.5);
  EXPECT_EQ(counter_of(row, "largest_block")->value, 100);
  EXPECT_FALSE(counter_of(row, "another"));
}

TEST(UsableShare, OfNothingFreeIsNone) {
  record::Row row;
  row.counters["free_bytes"] = {0, "bytes", record::Better::none, false};
  row.counters["largest_block"] = {0, "bytes", record::Better::higher, false};

  EXPECT_FALSE(counter_of(row, kUsableShare));
}

}  // namespace
}  // namespace cupel::figures
