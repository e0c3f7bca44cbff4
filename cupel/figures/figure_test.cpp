#include "cupel/figures/figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/figures/quantity.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/figures/synthetic.hpp"

namespace cupel::figures {
namespace {

using ::testing::Contains;

record::ResultSet three_processes() { return {{}, rows_of("f/x", {1e-6, 2e-6, 9e-6})}; }

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

TEST(Figure, OfLatenciesIsKnownByTheTimeOfAnAccess) {
  record::ResultSet results{{}, rows_of("memory/limits/latency/bytes:4096", {1e-3, 1e-3})};
  for (record::Row& row : results.rows) row.workload.items = 100'000;
  const std::vector<Figure> figures = figures_of(results);
  const Figure* const one[] = {&figures.front()};

  const Quantity quantity = quantity_of(one);

  EXPECT_EQ(quantity.kind, Quantity::per_access);
  EXPECT_EQ(value_text(value_of(figures.front(), quantity)->location, quantity), "10.0 ns/access");
}

}  // namespace
}  // namespace cupel::figures
