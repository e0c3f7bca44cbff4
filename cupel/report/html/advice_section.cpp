#include "cupel/report/html/advice_section.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "cupel/advice/words.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/report/html/side_by_side.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report::html {
namespace {

using advice::AdviceCurve;
using advice::AdvicePoint;
using advice::AdviceResult;
using advice::AdviceVerdict;
using catalogue::AdviceKind;

// A curve, what it is of, and the device that it is from.
struct Curve {
  const AdviceCurve* curve;
  const AdviceResult* result;
  const Device* device;
};

// The catalogue's row; for an id that it does not have, nothing but the id.
catalogue::CatalogueRow catalogue_row(const std::string& id) {
  if (const catalogue::CatalogueRow* row = catalogue::built_in().find(id)) return *row;
  catalogue::CatalogueRow unknown;
  unknown.id = unknown.advice = id;
  return unknown;
}

std::string ratio_label(double ratio) {
  const int decimals = ratio < 0.1 ? 3 : ratio < 1 ? 2 : ratio < 10 ? 1 : 0;
  return without_trailing_zeros(units::format_fixed(ratio, decimals)) + "x";
}

std::vector<std::string> tip_of(const AdvicePoint& point, const Curve& curve) {
  const AdviceResult& result = *curve.result;
  const advice::AdviceMetric& metric = result.metric;
  std::vector<std::string> lines{advice::readable_scenario(point.scenario)};
  if (!curve.device->name.empty()) lines.push_back(curve.device->name);
  lines.push_back(gain_of(point, result) + ": " + advice::verdict_word(point.verdict, result.kind));
  lines.push_back(interval_text(point, result));
  lines.push_back((metric.is_time() ? "" : advice::readable_metric(metric) + " ") + "before " +
                  amount_text(point.before, metric) + ", after " + amount_text(point.after, metric));
  lines.push_back("n = " + counted(point.processes, "process", "processes") +
                  (point.left_out > 0 ? fmt::format(", {} left out", point.left_out) : "") +
                  (point.mode ? std::string(", ") + record::to_string(*point.mode) : ""));
  if (!point.reason.empty()) lines.push_back(point.reason);
  return lines;
}

// A line means one thing in a chart: the range of processes where no point has an interval.
bool has_intervals(const std::vector<Curve>& curves) {
  return std::ranges::any_of(curves, [](const Curve& curve) { return has_interval(*curve.curve); });
}

bool is_drawable(const AdvicePoint& point) { return point.gain && point.gain->ratio > 1e-9 && point.gain->ratio < 1e9; }

// ---- Gain over sizes

std::string curve_label(const AdviceCurve& curve) {
  const std::string scenario = advice::readable_scenario(curve.scenario);
  if (curve.variant.empty()) return scenario;
  return scenario.empty() ? curve.variant : scenario + " [" + curve.variant + "]";
}

ChartSeries series_of(const Curve& curve, std::size_t colour, bool intervals) {
  ChartSeries series{curve_label(*curve.curve), colour, curve.device->number, {}};
  for (const AdvicePoint& point : curve.curve->points) {
    if (!is_drawable(point) || !point.size) continue;
    const bool spread = point.gain->is_interval == intervals;
    series.points.push_back({*point.size, point.gain->ratio, spread ? point.gain->low : std::nullopt,
                             spread ? point.gain->high : std::nullopt, tip_of(point, curve)});
  }
  return series;
}

std::string n_of(const std::vector<Curve>& curves) {
  std::set<int> processes;
  for (const Curve& curve : curves) {
    for (const AdvicePoint& point : curve.curve->points) {
      if (point.gain) processes.insert(point.processes);
    }
  }
  const int least = *processes.begin(), most = *processes.rbegin();
  return least == most ? fmt::format("n: {}", most) : fmt::format("n: {} to {}", least, most);
}

std::string axis_title(const AdviceResult& result) {
  return "gain (" + (result.metric.is_time() ? "before / after" : ratio_text(result.metric)) + ")";
}

// The table of all advice says what each piece is, and the axis what its gain is.
std::string gain_caption(const std::vector<Curve>& curves) {
  return n_of(curves) + (has_intervals(curves) ? ", 95 % intervals." : ", ranges.");
}

Chart gain_chart(const AdvicePiece& piece, const std::string& axis, const std::vector<Curve>& curves,
                 const std::vector<Device>& devices, double tolerance) {
  LineChart chart;
  chart.x_title = axis.ends_with("bytes") ? "size" : axis;
  chart.y_title = axis_title(*curves.front().result);
  chart.x_label = [axis](double size) {
    return axis.ends_with("bytes") ? advice::readable_size(axis, size) : tick_text(size, units::Unit::count);
  };
  chart.y_label = ratio_label;
  chart.shaded = {1 / (1 + tolerance), 1 + tolerance};
  chart.guides.push_back({1, "no difference", std::nullopt, std::nullopt});
  const bool intervals = has_intervals(curves);
  std::vector<std::string> labels;
  for (const Curve& curve : curves) {
    const std::string label = curve_label(*curve.curve);
    units::add_once(labels, label);
    const auto colour = static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
    chart.series.push_back(series_of(curve, colour, intervals));
  }
  // A single label stands in the title, and leaves the colours to devices.
  for (ChartSeries& series : chart.series) {
    if (labels.size() > 1) continue;
    series.colour = series.device;
    series.label.clear();
  }
  chart.description = piece.id + ": gain against " + axis;
  const std::string of = labels.size() == 1 && !labels.front().empty() ? ", " + labels.front() : "";
  const std::string words = "gain against " + chart.x_title + of;
  std::string says = gain_caption(curves);
  units::append(says, ratios_sentence(chart, devices), " ");
  return {.name = piece.id,
          .words = words,
          .drawing = std::move(chart),
          .caption = std::move(says),
          .devices = labels_of(devices)};
}

// ---- Gain of scenarios

// intervals: whether the column is of them, or of ranges.
std::string spread_cell(const AdvicePoint& point, const AdviceResult& result, bool intervals) {
  return point.gain->is_interval == intervals ? advice::ends_text(point, result) : interval_text(point, result);
}

PlotRow gain_row(const AdvicePoint& point, const Curve& curve, bool intervals) {
  PlotRow row{.label = advice::readable_scenario(point.scenario),
              .remark = curve.device->name,
              .device = curve.device->number,
              .value = point.gain->ratio};
  if (!curve.curve->variant.empty()) row.label += " [" + curve.curve->variant + "]";
  if (point.gain->is_interval == intervals) {
    row.low = point.gain->low;
    row.high = point.gain->high;
  }
  row.cells = {gain_of(point, *curve.result), spread_cell(point, *curve.result, intervals),
               fmt::format("{}", point.processes), advice::verdict_word(point.verdict, curve.result->kind)};
  row.tip = tip_of(point, curve);
  return row;
}

Chart gain_rows(const AdvicePiece& piece, const std::vector<Curve>& curves, const std::vector<Device>& devices,
                double tolerance) {
  RowPlot plot;
  plot.label_title = "scenario";
  plot.axis_title = axis_title(*curves.front().result);
  plot.tick = ratio_label;
  const bool intervals = has_intervals(curves);
  plot.titles = {"gain", intervals ? "interval" : "range", "n", "verdict"};
  plot.shaded = {1 / (1 + tolerance), 1 + tolerance};
  plot.as_ratio = true;
  for (const Curve& curve : curves) {
    for (const AdvicePoint& point : curve.curve->points) {
      if (is_drawable(point)) plot.rows.push_back(gain_row(point, curve, intervals));
    }
  }
  constexpr std::size_t kManyRows = 16;
  const std::string common = take_common(plot.rows);
  plot = side_by_side(std::move(plot), devices);
  Chart chart{.name = piece.id,
              .title = common,
              .words = "gain of each scenario",
              .caption = gain_caption(curves),
              .is_wide = true};
  if (plot.rows.size() > kManyRows) chart.folded = fmt::format("{} scenarios", plot.rows.size());
  chart.drawing = std::move(plot);
  return chart;
}

bool has_gain(const AdviceCurve& curve) { return std::ranges::any_of(curve.points, is_drawable); }

// ---- Words

// Done by doctor and other commands, and never measured.
bool is_tool(const std::string& id) { return catalogue_row(id).kind == AdviceKind::tool; }

bool is_measured(const AdvicePiece& piece) {
  return std::ranges::any_of(piece.on, [](const AdviceResult* result) {
    return result != nullptr && (result->gains.in_step || result->verdict != AdviceVerdict::not_measured);
  });
}

bool matters_somewhere(const AdvicePiece& piece) {
  return std::ranges::any_of(piece.on, [](const AdviceResult* on) { return on != nullptr && may_matter(*on); });
}

bool verdicts_differ(const AdvicePiece& piece) {
  const auto said = [](const AdviceResult* result) { return result == nullptr ? "" : verdict_said(*result); };
  return std::ranges::any_of(piece.on, [&](const AdviceResult* on) { return said(on) != said(piece.on.front()); });
}

// A piece that only a step tells of has no verdict.
std::string verdict_cell(const AdviceResult& result) {
  return result.measured().empty() && result.gains.in_step ? "in a step" : verdict_said(result);
}

// The step before what its own benchmarks leave undecided.
std::string said_with_step(const AdviceResult& result) {
  const bool both = result.verdict == AdviceVerdict::undecided && result.gains.in_step;
  return both ? step_text(result) + "; own benchmarks: " + verdict_remark(result) : verdict_remark(result);
}

// "pays at all 5"; nothing where it says the verdict again. Where several devices do not say the same, how_blocks()
// have it, and this has what they lack.
std::string where(const AdvicePiece& piece, const std::vector<Device>& devices) {
  std::vector<std::string> all;
  for (const AdviceResult* on : piece.on) {
    all.push_back(on == nullptr ? "" : (may_matter(*on) ? group_remark(*on) : "") + said_with_step(*on));
    if (on != nullptr && all.back() == verdict_said(*on)) all.back().clear();
  }
  if (!units::differ(all)) return all.front();
  std::string text;
  for (const Device& device : devices) {
    if (matters_somewhere(piece) || all[device.number].empty()) continue;
    units::append(text, device.name + ": " + all[device.number], "; ");
  }
  return text;
}

std::vector<std::string> cells_of(const AdvicePiece& piece, const std::vector<Device>& devices) {
  std::vector<std::string> cells{piece.id, catalogue_row(piece.id).advice};
  for (const AdviceResult* on : piece.on) {
    cells.push_back(on == nullptr ? "" : verdict_cell(*on));
    cells.push_back(on == nullptr || on->measured().empty() ? "" : headline_text(*on));
  }
  cells.push_back(where(piece, devices));
  return cells;
}

// The family of each benchmark.
std::map<std::string, std::string> families_of(const record::ResultSet& results) {
  std::map<std::string, std::string> families;
  for (const record::Row& row : results.rows) families.try_emplace(row.name, row.family);
  return families;
}

}  // namespace

bool may_matter(const AdviceResult& result) { return result.gains.in_step || result.verdict <= AdviceVerdict::harms; }

std::string advice_anchor(const std::string& id) { return "advice-" + slug(id); }

std::string how_anchor(const std::string& id) { return "how-" + slug(id); }

std::vector<AdvicePiece> pieces_of(const std::vector<Device>& devices) {
  std::vector<AdvicePiece> pieces;
  for (const Device& device : devices) {
    const std::map<std::string, std::string> families = families_of(*device.results);
    for (const AdviceResult& result : device.advised->advice) {
      AdvicePiece& piece = units::entry(pieces, result.id, &AdvicePiece::id);
      piece.on.resize(devices.size());
      piece.on[device.number] = &result;
      if (piece.family.empty() && !result.measured().empty()) piece.family = families.at(result.names.front());
    }
  }
  return pieces;
}

std::vector<Chart> gain_charts(const AdvicePiece& piece, const std::vector<Device>& devices) {
  constexpr double kTolerance = advice::AdviceOptions{}.tolerance;
  struct Axis {
    std::string name;
    std::vector<Curve> curves;
  };
  std::vector<Axis> by_axis;
  std::vector<Curve> single;
  for (const Device& device : devices) {
    const AdviceResult* result = piece.on[device.number];
    if (result == nullptr) continue;
    for (const AdviceCurve& curve : result->curves) {
      if (!has_gain(curve)) continue;
      const bool is_swept = !curve.axis.empty() && curve.points.size() >= 3;
      (is_swept ? units::entry(by_axis, curve.axis, &Axis::name).curves : single).push_back({&curve, result, &device});
    }
  }
  std::vector<Chart> all;
  for (const auto& [axis, curves] : by_axis) {
    // Colours are for labels, of which a chart has as many as can be told apart.
    std::map<std::string, std::size_t> labels;
    std::vector<std::vector<Curve>> charts;
    for (const Curve& curve : curves) {
      const std::size_t label = labels.try_emplace(curve_label(*curve.curve), labels.size()).first->second;
      const std::size_t chart = label / most_labels(devices);
      if (chart == charts.size()) charts.emplace_back();
      charts[chart].push_back(curve);
    }
    for (const std::vector<Curve>& chart : charts) {
      all.push_back(gain_chart(piece, axis, chart, devices, kTolerance));
    }
  }
  if (!single.empty()) all.push_back(gain_rows(piece, single, devices, kTolerance));
  return all;
}

Blocks advice_blocks(const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices) {
  std::vector<Column> columns{left("advice"), left("what to do")};
  for (const Device& device : devices) {
    const std::string of = device.name.empty() ? "" : " on " + device.name;
    columns.push_back({.title = "verdict" + of, .device = device.number, .has_verdicts = true});
    columns.push_back({.title = "gain" + of, .align = Align::right, .device = device.number});
  }
  columns.push_back(left("where"));
  Table table(std::move(columns));
  table.badges = advice_badges();
  std::vector<const AdvicePiece*> measured = units::filtered(pieces, is_measured);
  std::ranges::stable_partition(measured, [](const AdvicePiece* piece) { return verdicts_differ(*piece); });
  for (const AdvicePiece* piece : measured) {
    table.row(cells_of(*piece, devices));
    if (!piece->family.empty()) table.links[piece->id] = "#" + advice_anchor(piece->id);
  }
  table.instead = "No advice was measured here.";
  table.notes = {
      "gain: time before / time after at the largest sizes, from the least to the greatest scenario. Where advice "
      "costs time, how many times longer it takes. Where another measure than time judges, the column names it."};
  if (devices.size() > 1)
    table.notes.push_back("Where a piece holds on each device stands below, with how it is applied.");
  const auto absent =
      units::filtered(pieces, [](const AdvicePiece& piece) { return !is_measured(piece) && !is_tool(piece.id); });
  Blocks blocks{std::move(table)};
  if (!absent.empty()) {
    blocks.push_back(Folded{counted(std::ssize(absent), "piece") + " of advice not measured in these files",
                            {Paragraph{units::joined(absent | std::views::transform(&AdvicePiece::id))}}});
  }
  return blocks;
}

Blocks how_blocks(const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices) {
  Blocks blocks;
  for (const AdvicePiece& piece : pieces) {
    if (!matters_somewhere(piece)) continue;
    Blocks inside;
    Fields on;
    for (const Device& device : devices) {
      const AdviceResult* result = piece.on[device.number];
      if (result == nullptr) continue;
      if (inside.empty() && may_matter(*result)) inside = details_of(*device.advised, *result);
      if (!device.name.empty())
        on.labelled.emplace_back(device.name, may_matter(*result) ? holds_text(*result) : verdict_remark(*result));
    }
    inside.push_back(std::move(on));
    blocks.push_back(
        Folded{piece.id + ": " + catalogue_row(piece.id).advice, std::move(inside), "", how_anchor(piece.id)});
  }
  if (!blocks.empty()) blocks.insert(blocks.begin(), Heading{"How to apply it, and when it backfires", 3});
  return blocks;
}

}  // namespace cupel::report::html
