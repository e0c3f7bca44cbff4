// Several devices beside each other in a figure: a row a benchmark, a column a device, and the ratio to the first.
#pragma once

#include <string>
#include <vector>

#include "cupel/report/html/measured.hpp"
#include "cupel/report/page/line_chart.hpp"
#include "cupel/report/page/row_plot.hpp"

namespace cupel::report::html {

/// The title of a column whose cells are the same on each device.
inline constexpr const char* kModeColumn = "mode";

/// "H100 / H200": the title of a column that divides what a device has by what the first one has.
std::string ratio_title(const Device& device, const std::vector<Device>& devices);

/// How many labels a chart of lines has room for: each is a line on each device.
std::size_t most_labels(const std::vector<Device>& devices);

enum class Order { differences_first, as_given };
enum class LastColumn { is_words, is_of_each_device };

/// Joins rows of one label, each of a device of its own. The value and what else is of one device get a column a
/// device, words that all say alike stand once, and ranges and n, which the drawing and the caption have, go. Rows
/// whose ranges do not meet come first, the greatest difference before the others. Of a single device it is the plot.
RowPlot side_by_side(RowPlot plot, const std::vector<Device>& devices, Order order = Order::differences_first,
                     LastColumn last = LastColumn::is_words);

/// Returns what all devices say, or what each says by its name: "H200: busy; H100: throttled".
std::string text_of_each(const std::vector<std::string>& texts, const std::vector<Device>& devices,
                         const char* between = "; ");

/// "H100 / H200: 0.71 to 1.02." of the points that lines of one label have on both; empty where there are none.
std::string ratios_sentence(const LineChart& chart, const std::vector<Device>& devices);

/// How far apart two values are, as a logarithm; 0 where the ranges around them meet.
double difference(const PlotMark& a, const PlotMark& b);

/// Takes out of the labels what all have, parts between commas, and returns it.
std::string take_common(std::vector<PlotRow>& rows);

}  // namespace cupel::report::html
