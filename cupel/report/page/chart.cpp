#include "cupel/report/page/chart.hpp"

namespace cupel::report {
namespace {

Table rows_of(const html::RowPlot& plot) {
  std::vector<Column> columns{left(plot.label_title, Fold::above), left("")};
  for (const std::string& title : plot.titles)
    columns.push_back(&title == &plot.titles.back() ? left(title) : right(title));
  Table table(std::move(columns));
  for (const html::PlotRow& row : plot.rows) {
    std::vector<std::string> cells{row.label, row.remark};
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
    table.row(std::move(cells), row.device);
  }
  return table;
}

Table rows_of(const html::LineChart& chart) {
  Table table({left(chart.x_title), right(chart.y_title)});
  for (const html::ChartSeries& series : chart.series) {
    table.group(series.label);
    for (const html::ChartPoint& point : series.points)
      table.row({chart.x_label(point.x), chart.y_label(point.y)}, series.device);
  }
  return table;
}

}  // namespace

Table table_of(const Chart& chart) {
  Table table = std::visit([](const auto& drawing) { return rows_of(drawing); }, chart.drawing);
  for (const std::string& part : {chart.name, chart.title, chart.words}) {
    if (!part.empty()) table.title += (table.title.empty() ? "" : " ") + part;
  }
  table.notes = {chart.caption};
  return table;
}

}  // namespace cupel::report
