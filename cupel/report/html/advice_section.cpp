#include "cupel/report/html/advice_section.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "cupel/advice/order.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/advise/advise.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/palette.hpp"
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

std::string sentence_of(const std::string& id) { return safe(catalogue_row(id).advice, kSentence); }

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
  if (least == most) return fmt::format("n: {} a point.", counted(most, "process", "processes"));
  return fmt::format("n: {} to {} processes a point.", least, most);
}

std::string axis_title(const AdviceResult& result) {
  return "gain (" + (result.metric.is_time() ? "before / after" : ratio_text(result.metric)) + ")";
}

std::string gain_caption(const AdvicePiece& piece, const std::vector<Curve>& curves) {
  return units::shorten(catalogue_row(piece.id).advice, kSentence) +
         " Gain: " + ratio_text(curves.front().result->metric) +
         ", paired within processes; above 1 the advice pays. Bands and lines: " +
         (has_intervals(curves) ? "95 % intervals" : "the range of processes") + "; shaded: no difference (3 %). " +
         n_of(curves);
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
  return {.name = piece.id,
          .words = words,
          .drawing = std::move(chart),
          .caption = gain_caption(piece, curves),
          .devices = labels_of(devices)};
}

// ---- Gain of scenarios

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
  row.cells = {gain_of(point, *curve.result), interval_text(point, *curve.result), fmt::format("{}", point.processes),
               advice::verdict_word(point.verdict, curve.result->kind)};
  row.tip = tip_of(point, curve);
  return row;
}

Chart gain_rows(const AdvicePiece& piece, const std::vector<Curve>& curves, double tolerance) {
  RowPlot plot;
  plot.label_title = "scenario";
  plot.axis_title = axis_title(*curves.front().result);
  plot.tick = ratio_label;
  plot.titles = {"gain", "over processes", "n", "verdict"};
  plot.shaded = {1 / (1 + tolerance), 1 + tolerance};
  plot.as_ratio = true;
  const bool intervals = has_intervals(curves);
  for (const Curve& curve : curves) {
    for (const AdvicePoint& point : curve.curve->points) {
      if (is_drawable(point)) plot.rows.push_back(gain_row(point, curve, intervals));
    }
  }
  constexpr std::size_t kManyRows = 16;
  Chart chart{
      .name = piece.id, .words = "gain of each scenario", .caption = gain_caption(piece, curves), .is_wide = true};
  if (plot.rows.size() > kManyRows) chart.folded = fmt::format("{} scenarios", plot.rows.size());
  chart.drawing = std::move(plot);
  return chart;
}

bool has_gain(const AdviceCurve& curve) { return std::ranges::any_of(curve.points, is_drawable); }

// ---- Words

const char* badge_class(AdviceVerdict verdict) {
  switch (verdict) {
    case AdviceVerdict::pays:
      return "good";
    case AdviceVerdict::harms:
      return "bad";
    case AdviceVerdict::mixed:
    case AdviceVerdict::undecided:
      return "warn";
    default:
      return "quiet";
  }
}

bool pays_at_some(const AdviceResult& result) {
  return result.verdict == AdviceVerdict::pays && result.place.group == advice::AdviceGroup::few;
}

std::string badge(const AdviceResult& result) {
  return fmt::format("<span class=\"badge {}\">{}</span>", pays_at_some(result) ? "warn" : badge_class(result.verdict),
                     verdict_said(result));
}

std::string how(const std::string& id) {
  const catalogue::CatalogueRow row = catalogue_row(id);
  return fmt::format(
      "<details><summary>How to apply it, and when it backfires</summary>\n<dl "
      "class=\"how\"><dt>PyTorch</dt><dd>{}</dd>"
      "<dt>CUDA</dt><dd>{}</dd><dt>Backfires</dt><dd>{}</dd></dl></details>\n",
      safe(row.pytorch, kSentence), safe(row.cuda, kSentence), safe(row.backfires, kSentence));
}

// "Pays at all 5."
std::string sentence(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return safe(text + ".", kSentence);
}

// The words on a card: how much of it pays, and below it a line for all that goes with it.
std::string said_on_card(const AdviceResult& result, const std::string& same) {
  const std::vector<std::string> parts = holds_parts(result);
  std::string out;
  for (const std::string& part : parts) {
    const bool is_first = &part == &parts.front();
    out += (is_first ? "<p><b>" : "<p>") + sentence(part) + (is_first ? "</b></p>" : "</p>");
  }
  if (const std::string most = most_text(result); !most.empty()) out += "<p>" + sentence("most " + most) + "</p>";
  return out + (same.empty() ? "" : "<p>" + sentence("same cause: " + same) + "</p>");
}

std::string card(const AdviceResult& result, const std::string& same) {
  const std::string sentence = sentence_of(result.id);
  const bool has_chart = !result.measured().empty();
  const std::string title =
      has_chart ? fmt::format("<a href=\"#{}\">{}</a>", advice_anchor(result.id), sentence) : sentence;
  const bool is_told = result.gains.in_step.has_value();
  const std::string figure = is_told ? units::format(result.gains.in_step->saved_s(), units::Unit::seconds) + " saved"
                                     : headline_figure(result);
  const std::string of =
      is_told ? "in a step of " + result.gains.in_step->step
              : "on the largest work" + (result.metric.is_time() ? std::string(", ") : " by ") + modes_text(result);
  return fmt::format("<li><div class=\"gain{}\"><b>{}</b><span>{}</span></div><div><h4>{}</h4>{}{}</div></li>\n",
                     pays_at_some(result) && !is_told ? " some" : "", figure, safe(of), title,
                     said_on_card(result, same), how(result.id));
}

std::string cards(const std::vector<const AdviceResult*>& pieces, const std::vector<AdviceResult>& here) {
  std::string out = "<ol class=\"cards\">";
  for (const AdviceResult* result : pieces) out += card(*result, same_cause(here, *result));
  return out + "</ol>";
}

// The pieces that pay and have no rank, under the titles that `cupel advise` has for it.
std::string unranked_cards(const std::vector<const AdviceResult*>& pieces, const std::vector<AdviceResult>& here) {
  std::string out = "<p>" + std::string(advice::kNoRank) + "</p>";
  for (const advice::UnrankedTitle& title : advice::unranked_titles()) {
    std::vector<const AdviceResult*> of_group;
    std::ranges::copy_if(pieces, std::back_inserter(of_group),
                         [&](const AdviceResult* result) { return result->place.group == title.group; });
    if (of_group.empty()) continue;
    out += fmt::format("<h4 class=\"group\">{}{}</h4>{}", title.says, title.more, cards(of_group, here));
  }
  return out;
}

// The cards of one device.
std::string cards_of(const std::vector<AdviceResult>& here, const record::ResultSet& results, std::size_t most) {
  if (const auto first = advice::first_changes(here, most); !first.empty())
    return "<p class=\"note\">" + safe(order_text(here, advice::launch_host(results)), kSentence) + "</p>" +
           cards(first, here);
  if (const auto others = advice::unranked_pieces(here, most); !others.empty()) return unranked_cards(others, here);
  const std::string instead = advice_digest(results, here);
  return "<p>" + safe(instead.empty() ? "No advice that was measured here pays." : instead, kSentence) + "</p>";
}

std::string cell(const AdviceResult* result) {
  if (result == nullptr) return "<td></td><td class=\"num\"></td><td></td>";
  const std::string figure = result->measured().empty() ? "" : headline_text(*result);
  const bool may_matter = result->verdict <= AdviceVerdict::harms;
  std::string where = safe((may_matter ? group_remark(*result) : "") + said_of(*result), kSentence);
  for (const std::string& line : alternatives(*result)) where += "<br>" + safe(line, kSentence);
  if (const std::string claim = claim_sentence(*result); !claim.empty()) where += "<br>" + safe(claim, kSentence);
  return fmt::format("<td>{}</td><td class=\"num\">{}</td><td>{}</td>", badge(*result), safe(figure), where);
}

// Done by doctor and other commands, and never measured.
bool is_tool(const std::string& id) { return catalogue_row(id).kind == AdviceKind::tool; }

bool is_measured(const AdvicePiece& piece) {
  return std::ranges::any_of(piece.on, [](const AdviceResult* result) {
    return result != nullptr && (result->gains.in_step || result->verdict != AdviceVerdict::not_measured);
  });
}

std::string table_row(const AdvicePiece& piece, const Device& device) {
  std::string out = fmt::format("<tr class=\"d{}\">", device.number);
  if (device.number == 0) {
    const std::string id = safe(piece.id);
    out += fmt::format("<th scope=\"rowgroup\" rowspan=\"{}\">{}<small>{}</small></th>", piece.on.size(),
                       piece.family.empty() ? id : fmt::format("<a href=\"#{}\">{}</a>", advice_anchor(piece.id), id),
                       sentence_of(piece.id));
  }
  if (!device.name.empty()) out += fmt::format("<td class=\"on\">{}</td>", safe(device.name));
  return out + cell(piece.on[device.number]) + "</tr>\n";
}

// The family of each benchmark.
std::map<std::string, std::string> families_of(const record::ResultSet& results) {
  std::map<std::string, std::string> families;
  for (const record::Row& row : results.rows) families.try_emplace(row.name, row.family);
  return families;
}

}  // namespace

std::string advice_anchor(const std::string& id) { return "advice-" + slug(id); }

std::vector<AdvicePiece> pieces_of(const AdviceOfDevices& advice, const std::vector<Device>& devices) {
  std::vector<AdvicePiece> pieces;
  for (const Device& device : devices) {
    const std::map<std::string, std::string> families = families_of(*device.results);
    for (const AdviceResult& result : advice[device.number]) {
      AdvicePiece& piece = units::entry(pieces, result.id, &AdvicePiece::id);
      piece.on.resize(advice.size());
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
    // Colours are for labels; a chart has as many labels as there are colours.
    std::map<std::string, std::size_t> labels;
    std::vector<std::vector<Curve>> charts;
    for (const Curve& curve : curves) {
      const std::size_t label = labels.try_emplace(curve_label(*curve.curve), labels.size()).first->second;
      const std::size_t chart = label / kSeriesColours;
      if (chart == charts.size()) charts.emplace_back();
      charts[chart].push_back(curve);
    }
    for (const std::vector<Curve>& chart : charts) {
      all.push_back(gain_chart(piece, axis, chart, devices, kTolerance));
    }
  }
  if (!single.empty()) all.push_back(gain_rows(piece, single, kTolerance));
  return all;
}

std::string best_advice(const AdviceOfDevices& advice, const std::vector<Device>& devices, std::size_t most) {
  std::string out;
  for (const Device& device : devices) {
    out += fmt::format("<div class=\"d{}\">", device.number);
    if (!device.name.empty()) out += fmt::format("<h4 class=\"device-name\">{}</h4>", safe(device.name));
    out += cards_of(advice[device.number], *device.results, most) + "</div>\n";
  }
  return out;
}

std::string advice_table(const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices) {
  std::string out = "<div class=\"scroll\"><table class=\"data advice\"><thead><tr><th scope=\"col\">advice</th>";
  if (devices.size() > 1) out += "<th scope=\"col\">on</th>";
  out +=
      "<th scope=\"col\">verdict</th><th scope=\"col\" class=\"num\">gain</th><th "
      "scope=\"col\">where</th></tr></thead>\n";
  std::string absent;
  for (const AdvicePiece& piece : pieces) {
    if (!is_measured(piece)) {
      if (!is_tool(piece.id)) units::append(absent, safe(piece.id));
      continue;
    }
    out += "<tbody>";
    for (const Device& device : devices) out += table_row(piece, device);
    out += "</tbody>\n";
  }
  out +=
      "</table></div>\n<p class=\"note\">Gain: time before / time after at the largest sizes, the least and the "
      "greatest "
      "of several scenarios; of what has its price, how many times longer it takes; of what is not judged by its time, "
      "the column says by what. "
      "Every point's interval or range, and n, are in its chart.</p>\n";
  if (!absent.empty()) out += "<p class=\"note\">Not measured in these files: " + absent + ".</p>\n";
  return out;
}

}  // namespace cupel::report::html
