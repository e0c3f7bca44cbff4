// A chart of values over a parameter: lines with bands for their intervals, and dashed lines for limits.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cupel/report/page/scale.hpp"

#include "cupel/units/format.hpp"

namespace cupel::report::html {

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::optional<double> low, high;
  std::vector<std::string> tip;  ///< not escaped
  std::size_t mark = 0;          ///< which of the chart's marks it is drawn as
};

struct ChartSeries {
  std::string label;
  std::size_t colour = 0;  ///< of the palette, taken modulo its size
  std::size_t device = 0;  ///< its marks and dashes, and what a reader switches off
  std::vector<ChartPoint> points;
};

/// A horizontal line, named in the legend. Colour and device: of what it belongs to; nothing: to all.
struct ChartGuide {
  double y = 0;
  std::string label;
  std::optional<std::size_t> colour;
  std::optional<std::size_t> device;
};

/// A vertical line where something changed, named in the legend.
struct ChartMoment {
  double x = 0;
  std::string label;
};

struct LineChart {
  std::string x_title, y_title;
  std::function<std::string(double)> x_label;
  std::function<std::string(double)> y_label;
  Round y_round = Round::decimal;
  bool y_near = false;  ///< linear around the values, not from zero
  std::vector<ChartSeries> series;
  std::vector<ChartGuide> guides;
  std::vector<ChartMoment> moments = {};
  std::vector<std::string> marks = {};  ///< what points are told apart by: of the round ones, then of the others
  std::vector<double> beside_x = {}, beside_y = {};  ///< of charts beside it, for which its scales have room
  std::optional<std::pair<double, double>> shaded;   ///< a stretch of y, such as what counts as no difference
  std::string description;                           ///< for who does not see it
};

/// The chart of one device alone, on the scales of the whole one.
LineChart of_device(const LineChart& chart, std::size_t device);

/// The SVG. y is logarithmic where values span more than a factor of 30, or where `shaded` is given (ratios); the other
/// kind's ticks are there for the script that switches. x is logarithmic where it spans a factor of 8 or more.
std::string svg(const LineChart& chart);

/// Its legend: an entry for each label, each device and each kind of mark where there are several, and each guide
/// (names not escaped).
std::string legend(const LineChart& chart, const std::vector<std::string>& devices);

}  // namespace cupel::report::html
