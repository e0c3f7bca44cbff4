#include "cupel/report/page/row_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/palette.hpp"
#include "cupel/report/page/scale.hpp"

namespace cupel::report::html {
namespace {

constexpr double kRowWidth = 270, kRowHeight = 20, kRowMargin = 22;
constexpr double kRowDigitWidth = 6.2;
constexpr double kLeastLane = 9;

struct Drawing {
  Scale scale;
  std::vector<double> grid;
  bool bars = false;
  std::size_t lanes = 1;  ///< one for each device that stands beside others

  double height() const { return std::max(kRowHeight, static_cast<double>(lanes) * kLeastLane); }
  double lane() const { return height() / static_cast<double>(lanes); }
  double top_of(std::size_t device) const { return lanes > 1 ? lane() * static_cast<double>(device) : 0; }
};

// All values of a row, the one of its own device first.
std::vector<PlotMark> marks_of(const PlotRow& row) {
  std::vector<PlotMark> marks{{row.device, row.value, row.low, row.high, row.limit, row.tip}};
  marks.insert(marks.end(), row.beside.begin(), row.beside.end());
  return marks;
}

std::size_t lanes_of(const RowPlot& plot) {
  if (std::ranges::all_of(plot.rows, [](const PlotRow& row) { return row.beside.empty(); })) return 1;
  std::size_t lanes = 1;
  for (const PlotRow& row : plot.rows) {
    for (const PlotMark& mark : marks_of(row)) lanes = std::max(lanes, mark.device + 1);
  }
  return lanes;
}

std::vector<double> all_values(const RowPlot& plot) {
  std::vector<double> values;
  for (const PlotRow& row : plot.rows) {
    for (const PlotMark& mark : marks_of(row)) {
      for (const std::optional<double>& value : {mark.value, mark.low, mark.high, mark.limit}) {
        if (value && *value > 0) values.push_back(*value);
      }
    }
  }
  if (plot.as_ratio) values.push_back(1);
  return values;
}

Scale scale_of(const RowPlot& plot) {
  if (plot.to) return {Scale::Kind::linear, plot.from.value_or(0), *plot.to, kRowMargin, kRowWidth - kRowMargin};
  const std::vector<double> values = all_values(plot);
  return plot.as_ratio || (span_far(values) && !plot.from_zero)
             ? scale_around(values, kRowMargin, kRowWidth - kRowMargin)
             : scale_from_zero(values, kRowMargin, kRowWidth - kRowMargin);
}

Drawing drawing_of(const RowPlot& plot) {
  const Scale scale = scale_of(plot);
  return {scale, round_values(scale, 3, plot.round), scale.kind() == Scale::Kind::linear && !plot.as_ratio,
          lanes_of(plot)};
}

// Ticks whose labels have room, in the head of the table.
std::string axis(const RowPlot& plot, const Drawing& drawing) {
  std::string out = fmt::format("<svg viewBox=\"0 0 {} 18\" width=\"{}\" height=\"18\" aria-hidden=\"true\">",
                                coordinate(kRowWidth), coordinate(kRowWidth));
  double free_from = 0;
  for (const double value : drawing.grid) {
    const std::string label = value == 0 ? "0" : plot.tick(value);
    const double half = static_cast<double>(label.size()) * kRowDigitWidth / 2;
    const double x = std::clamp(drawing.scale.at(value), half, kRowWidth - half);
    if (x - half < free_from) continue;
    free_from = x + half + 6;
    out += fmt::format("<text x=\"{}\" y=\"13\" class=\"middle\">{}</text>", coordinate(x), safe(label));
  }
  return out + "</svg>";
}

std::string vertical(double x, const char* name, double top, double bottom) {
  return fmt::format("<line class=\"{1}\" x1=\"{0}\" x2=\"{0}\" y1=\"{2}\" y2=\"{3}\"/>", coordinate(x), name,
                     coordinate(top), coordinate(bottom));
}

std::string interval(const PlotMark& mark, const Drawing& drawing) {
  if (!mark.low || !mark.high) return "";
  const std::string y = coordinate(drawing.top_of(mark.device) + drawing.lane() / 2);
  return fmt::format("<line class=\"whisker\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>",
                     coordinate(drawing.scale.at(*mark.low)), coordinate(drawing.scale.at(*mark.high)), y, y);
}

std::string shape(const PlotMark& mark, const Drawing& drawing) {
  if (!mark.value) return "";
  const double x = drawing.scale.at(*mark.value), top = drawing.top_of(mark.device);
  if (!drawing.bars) {
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"4\"><title>{}</title></circle>", coordinate(x),
                       coordinate(top + drawing.lane() / 2), safe_lines(mark.tip));
  }
  const double margin = drawing.lanes > 1 ? 1.5 : 4;
  return fmt::format("<rect x=\"{}\" y=\"{}\" height=\"{}\" width=\"{}\"><title>{}</title></rect>",
                     coordinate(kRowMargin), coordinate(top + margin), coordinate(drawing.lane() - 2 * margin),
                     coordinate(std::max(1.0, x - kRowMargin)), safe_lines(mark.tip));
}

std::string drawn(const PlotMark& mark, const Drawing& drawing) {
  const double top = drawing.top_of(mark.device);
  std::string out = fmt::format("<g class=\"series c{} d{}\">", mark.device % kSeriesColours, mark.device) +
                    shape(mark, drawing) + interval(mark, drawing);
  if (mark.limit && drawing.lanes > 1) {
    out += vertical(drawing.scale.at(*mark.limit), "limit", top, top + drawing.lane());
  }
  return out + "</g>";
}

std::string drawn(const RowPlot& plot, const PlotRow& row, const Drawing& drawing) {
  const double height = drawing.height();
  std::string out =
      fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" preserveAspectRatio=\"none\">",
                  coordinate(kRowWidth), coordinate(height));
  if (plot.shaded) {
    const double left = drawing.scale.at(plot.shaded->first), right = drawing.scale.at(plot.shaded->second);
    out += fmt::format("<rect class=\"shaded\" x=\"{}\" y=\"0\" width=\"{}\" height=\"{}\"/>", coordinate(left),
                       coordinate(right - left), coordinate(height));
  }
  for (const double value : drawing.grid) out += vertical(drawing.scale.at(value), "grid", 0, height);
  if (plot.as_ratio) out += vertical(drawing.scale.at(1), "base", 0, height);
  for (const PlotMark& mark : marks_of(row)) out += drawn(mark, drawing);
  if (row.limit && drawing.lanes == 1) out += vertical(drawing.scale.at(*row.limit), "limit", 0, height);
  return out + "</svg>";
}

// Short text stays on one line.
bool is_short(const std::string& text) {
  constexpr std::size_t kShort = 44;
  return text.size() <= kShort;
}

std::string cell_class(const RowPlot& plot, std::size_t cell) {
  const std::string classes = cell + 1 < plot.titles.size() ? "num" : "txt";
  const auto owner = plot.owners.find(cell);
  if (owner == plot.owners.end()) return classes;
  return fmt::format("{} own c{} d{}", classes, owner->second % kSeriesColours, owner->second);
}

// The places of the columns that are not empty.
std::vector<std::size_t> filled_columns(const RowPlot& plot) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < plot.titles.size(); ++i) {
    if (std::ranges::any_of(plot.rows, [i](const PlotRow& row) { return !row.cells.at(i).empty(); }))
      columns.push_back(i);
  }
  return columns;
}

}  // namespace

std::string table(const RowPlot& plot) {
  const Drawing drawing = drawing_of(plot);
  const std::vector<std::size_t> columns = filled_columns(plot);
  const bool has_owners = std::ranges::any_of(columns, [&](std::size_t i) { return plot.owners.contains(i); });
  std::string out = fmt::format(
      "<div class=\"scroll\"><table class=\"plot{}\"><thead><tr><th scope=\"col\">{}</th>"
      "<th scope=\"col\" class=\"draw\"><span>{}</span>{}</th>",
      has_owners ? " owned" : "", safe(plot.label_title), safe(plot.axis_title), axis(plot, drawing));
  for (const std::size_t i : columns) {
    out += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", cell_class(plot, i), safe(plot.titles[i]));
  }
  out += "</tr></thead><tbody>\n";
  for (const PlotRow& row : plot.rows) {
    const std::string device = row.beside.empty() ? fmt::format(" class=\"d{}\"", row.device) : "";
    fmt::format_to(std::back_inserter(out), "<tr{}><th scope=\"row\"{}>{}", device,
                   is_short(row.label) ? " class=\"short\"" : "", breakable(row.label));
    if (!row.remark.empty()) fmt::format_to(std::back_inserter(out), " <small>{}</small>", safe(row.remark));
    fmt::format_to(std::back_inserter(out), "</th><td class=\"draw\">{}</td>", drawn(plot, row, drawing));
    for (const std::size_t i : columns) {
      const std::string& cell = row.cells.at(i);
      fmt::format_to(std::back_inserter(out), "<td class=\"{}{}\">{}</td>", cell_class(plot, i),
                     is_short(cell) ? " short" : "", breakable(cell));
    }
    out += "</tr>\n";
  }
  return std::move(out) + "</tbody></table></div>\n";
}

}  // namespace cupel::report::html
