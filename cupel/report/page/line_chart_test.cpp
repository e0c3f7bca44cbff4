#include "cupel/report/page/line_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/report/page/html_text.hpp"

namespace cupel::report::html {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

LineChart chart_of(std::vector<ChartPoint> points) {
  LineChart chart;
  chart.x_title = "size";
  chart.y_title = "bandwidth";
  chart.x_label = chart.y_label = [](double value) { return plain(value); };
  chart.series = {{"pinned", 0, 0, std::move(points)}};
  return chart;
}

TEST(LineChart, DrawsEachPointWithItsValueIntervalAndTip) {
  const LineChart chart = chart_of({{1, 10, 9.5, 10.5, {"one", "n = 5"}}, {2, 20, {}, {}, {"two"}}});

  const std::string drawn = svg(chart);

  EXPECT_THAT(drawn, HasSubstr("data-v=\"10 9.5 10.5 1\"><title>one\nn = 5</title>"));
  EXPECT_THAT(drawn, HasSubstr("data-v=\"20 20 20 2\"><title>two</title>"));
}

TEST(LineChart, IsLogarithmicWhereValuesSpanFar) {
  EXPECT_THAT(svg(chart_of({{1, 1, {}, {}, {}}, {2, 100, {}, {}, {}}})), HasSubstr("data-scale=\"log\""));
  EXPECT_THAT(svg(chart_of({{1, 1, {}, {}, {}}, {2, 2, {}, {}, {}}})), HasSubstr("data-scale=\"linear\""));
}

TEST(LineChart, HasTheAxesOfBothScalesAndShowsOne) {
  const std::string drawn = svg(chart_of({{1, 1, {}, {}, {}}, {2, 2, {}, {}, {}}}));

  EXPECT_THAT(drawn, HasSubstr("<g class=\"axis y linear\">"));
  EXPECT_THAT(drawn, HasSubstr("<g class=\"axis y log off\">"));
}

TEST(LineChart, EscapesEveryText) {
  LineChart chart = chart_of({{1, 1, {}, {}, {"<script>"}}});
  chart.x_title = chart.y_title = chart.description = chart.series[0].label = "<script>";
  chart.guides = {{2, "<script>", std::nullopt, std::nullopt}};

  EXPECT_THAT(svg(chart), Not(HasSubstr("<script>")));
  EXPECT_THAT(legend(chart, {"<script>", "<script>"}), Not(HasSubstr("<script>")));
}

TEST(LineChart, OfOnePointAndOfNoneIsStillOne) {
  EXPECT_THAT(svg(chart_of({{4096, 1, {}, {}, {}}})), HasSubstr("<circle"));
  EXPECT_THAT(svg(chart_of({})), HasSubstr("</svg>"));
}

TEST(LineChart, LabelsNoMoreTicksThanHaveRoom) {
  std::vector<ChartPoint> points;
  for (int i = 0; i < 100; ++i) points.push_back({1000000.0 + i, 1, {}, {}, {}});

  const std::string drawn = svg(chart_of(points));
  const std::string axis = drawn.substr(drawn.find("axis x"), drawn.find("title\">size") - drawn.find("axis x"));

  std::size_t labels = 0;
  for (std::size_t at = axis.find("<text"); at != std::string::npos; at = axis.find("<text", at + 1)) ++labels;
  EXPECT_GE(labels, 4u);
  EXPECT_LE(labels, 10u);
}

TEST(LineChart, OfOneDeviceKeepsItsLinesAndLimitsAndTheScaleOfAll) {
  LineChart chart = chart_of({{1, 10, {}, {}, {}}, {2, 20, {}, {}, {}}});
  chart.series.push_back({"pinned", 0, 1, {{2, 15, {}, {}, {}}, {4, 1000, {}, {}, {}}}});
  chart.guides = {{30, "of both", std::nullopt, std::nullopt}, {2000, "of the other", std::nullopt, 1}};
  const auto head = [](const std::string& drawn) { return drawn.substr(drawn.find("data-scale"), 160); };

  const std::string part = svg(of_device(chart, 0));

  EXPECT_EQ(head(part), head(svg(chart)));
  EXPECT_THAT(part, AllOf(HasSubstr("series c0 d0"), Not(HasSubstr("series c0 d1"))));
  EXPECT_THAT(part, AllOf(HasSubstr("data-v=\"30\""), Not(HasSubstr("data-v=\"2000\""))));
  EXPECT_THAT(part, HasSubstr(">4</text>"));  // a size that the other alone has
}

TEST(LineChart, DrawsALineWiderThatAnotherHides) {
  LineChart chart = chart_of({{1, 10, {}, {}, {}}, {2, 20, {}, {}, {}}});
  chart.series.push_back({"write_combined", 1, 0, {{1, 10.01, {}, {}, {}}, {2, 20, {}, {}, {}}}});
  chart.series.push_back({"pageable", 2, 0, {{1, 5, {}, {}, {}}, {2, 8, {}, {}, {}}}});

  const std::string drawn = svg(chart);

  EXPECT_THAT(drawn, HasSubstr("series c0 d0 under"));
  EXPECT_THAT(drawn, HasSubstr("series c1 d0\""));
  EXPECT_THAT(drawn, HasSubstr("series c2 d0\""));
}

TEST(Legend, NamesEachLabelOnceAndTheDevicesWhereThereAreSeveral) {
  LineChart chart = chart_of({});
  chart.series = {{"pinned", 0, 0, {}}, {"pinned", 0, 1, {}}};

  const std::string names = legend(chart, {"A", "B"});

  EXPECT_EQ(names.find("pinned"), names.rfind("pinned"));
  EXPECT_THAT(names, HasSubstr(">A</li>"));
  EXPECT_THAT(names, HasSubstr(">B</li>"));
}

TEST(Legend, IsNotThereForASingleSeriesWithoutALabel) {
  LineChart chart = chart_of({});
  chart.series[0].label = "";

  EXPECT_EQ(legend(chart, {"A"}), "");
}

}  // namespace
}  // namespace cupel::report::html
