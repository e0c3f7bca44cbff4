// A chart that is a table: one benchmark a row, its value drawn as a bar or a dot beside the numbers. Names of any
// length find room, and it can be read without seeing the drawing.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cupel/report/page/scale.hpp"

namespace cupel::report::html {

/// The value of a row on a further device.
struct PlotMark {
  std::size_t device = 0;
  std::optional<double> value = {}, low = {}, high = {}, limit = {};
  std::vector<std::string> tip = {};  ///< not escaped
};

struct PlotRow {
  std::string label = {};   ///< not escaped, as all text here
  std::string remark = {};  ///< beside the label, quieter
  std::size_t device = 0;   ///< its colour, and what a reader switches off
  std::optional<double> value = {};
  std::optional<double> low = {}, high = {};
  std::optional<double> limit = {};     ///< a tick on the same axis
  std::vector<std::string> cells = {};  ///< as many as titles
  std::vector<std::string> tip = {};
  std::vector<PlotMark> beside = {};  ///< the same on further devices, each drawn in a lane of its own
};

struct RowPlot {
  std::string label_title, axis_title;
  std::function<std::string(double)> tick;  ///< label of a tick
  Round round = Round::decimal;             ///< the ticks' values
  std::vector<std::string> titles;          ///< of the cells; the last is left-aligned, the others right-aligned
  std::vector<PlotRow> rows;
  bool from_zero = false;           ///< bars, however far values span
  std::optional<double> from = {};  ///< where a linear axis of ratios begins that ends at `to`; else at zero
  std::optional<double> to;         ///< end of a linear axis; else from the values
  std::optional<std::pair<double, double>> shaded;
  bool as_ratio = false;                           ///< logarithmic where it has no end, with a line at one
  std::map<std::size_t, std::size_t> owners = {};  ///< from the place of a cell to the device whose it is
};

/// Columns without any text are left out. Bars from zero; dots on a logarithmic axis where values span more than a
/// factor of 30, and for ratios.
std::string table(const RowPlot& plot);

}  // namespace cupel::report::html
