// Which charts show an operation: chosen by the shape of what was measured, not by its name, so that any family has
// its charts.
#pragma once

#include <vector>

#include "cupel/report/html/chart.hpp"
#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// A parameter with three or more numeric values is an axis: one line chart, or several where more than eight series
/// would share one. Changes that are added one after another are a waterfall. A parameter that names engines or
/// algorithms makes a ranking, fastest first. Everything else is a bar or a dot for each benchmark; operations with few
/// of them share a chart.
std::vector<Chart> charts_of(const Family& family, const std::vector<Device>& devices);

}  // namespace cupel::report::html
