// A chart as data: a drawing, and the words without which it says nothing.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cupel/report/page/line_chart.hpp"
#include "cupel/report/page/row_plot.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

struct Chart {
  std::string name = {};   ///< of what is measured, as it is typed
  std::string title = {};  ///< beside the name: of which part
  std::string words = {};  ///< what is drawn against what
  std::variant<html::LineChart, html::RowPlot> drawing = {};
  std::string caption = {};               ///< how to read it: what is drawn, its interval, n, its limits
  bool is_wide = false;                   ///< the whole width of the page, else half of it where there is room
  bool begins_row = false;                ///< at the left, so that those that belong to it stand beside it
  bool is_picture = false;                ///< small enough to stand beside words, without its axis
  std::string folded = {};                ///< the summary of a drawing that is folded away
  std::vector<std::string> devices = {};  ///< whose marks are told apart in a legend
  std::string id = {};                    ///< unique in the page
};

/// The values that it draws, for formats without drawings.
Table table_of(const Chart& chart);

}  // namespace cupel::report
