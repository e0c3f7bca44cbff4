#include "cupel/report/page/row_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/report/page/html_text.hpp"

#include "cupel/units/parse.hpp"

namespace cupel::report::html {
namespace {

using testing::HasSubstr;
using testing::Not;

PlotRow row_of(const std::string& label, double value) {
  PlotRow row;
  row.label = label;
  row.value = value;
  row.cells = {plain(value), ""};
  row.tip = {label, "n = 3"};
  return row;
}

RowPlot plot_of(std::vector<PlotRow> rows) {
  RowPlot plot;
  plot.label_title = "benchmark";
  plot.axis_title = "time";
  plot.tick = [](double value) { return plain(value); };
  plot.titles = {"time", "remarks"};
  plot.rows = std::move(rows);
  return plot;
}

TEST(RowPlot, HasTheNumberBesideEachDrawing) {
  const std::string html = table(plot_of({row_of("a", 1), row_of("b", 2)}));

  EXPECT_THAT(html, HasSubstr("<title>a\nn = 3</title>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"num short\">2</td>"));
}

TEST(RowPlot, HasBarsFromZeroAndDotsWhereValuesSpanFar) {
  EXPECT_THAT(table(plot_of({row_of("a", 1), row_of("b", 2)})), Not(HasSubstr("<circle")));
  EXPECT_THAT(table(plot_of({row_of("a", 1), row_of("b", 100)})), HasSubstr("<circle"));
}

TEST(RowPlot, MakesABarTwiceAsLongForTwiceTheValue) {
  const std::string html = table(plot_of({row_of("a", 1), row_of("b", 2)}));

  const auto width = [&](const std::string& label) {
    const std::size_t title = html.find("<title>" + label);
    const std::size_t at = html.rfind("width=\"", title) + 7;
    return units::finite_number(html.substr(at, html.find('"', at) - at)).value();
  };
  EXPECT_NEAR(width("b"), 2 * width("a"), 0.02);
}

TEST(RowPlot, LeavesOutAColumnWithoutText) { EXPECT_THAT(table(plot_of({row_of("a", 1)})), Not(HasSubstr("remarks"))); }

TEST(RowPlot, OfRatiosHasALineAtOne) {
  RowPlot plot = plot_of({row_of("a", 2)});
  plot.as_ratio = true;

  EXPECT_THAT(table(plot), HasSubstr("class=\"base\""));
}

TEST(RowPlot, OfRatiosWithTwoEndsHasDotsBetweenThem) {
  RowPlot plot = plot_of({row_of("a", 1.01), row_of("b", 1.18)});
  plot.as_ratio = true;
  plot.from = 0.95;
  plot.to = 1.2;

  const std::string html = table(plot);
  const auto x = [&](std::size_t from) {
    const std::size_t at = html.find("<circle cx=\"", from) + 12;
    return units::finite_number(html.substr(at, html.find('"', at) - at)).value();
  };

  EXPECT_EQ(html.find("<rect"), std::string::npos);
  EXPECT_GT(x(html.find("b</th>")) - x(0), 100);
}

TEST(RowPlot, EscapesEveryText) {
  RowPlot plot = plot_of({row_of("<script>", 1)});
  plot.rows[0].remark = plot.rows[0].cells[1] = plot.label_title = plot.axis_title = plot.titles[0] = "<script>";

  EXPECT_THAT(table(plot), Not(HasSubstr("<script>")));
}

TEST(RowPlot, ShowsARowWithoutAValue) {
  PlotRow row;
  row.label = "absent";
  row.cells = {"", ""};

  EXPECT_THAT(table(plot_of({row})), HasSubstr("absent"));
}

}  // namespace
}  // namespace cupel::report::html
