#include "cupel/report/html/family_section.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cupel/figures/words.hpp"
#include "cupel/report/html/figure.hpp"
#include "cupel/report/html/operation_figures.hpp"
#include "cupel/report/html/text.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report::html {
namespace {

std::string in_grid(const std::vector<Figure>& figures, const std::string& id) {
  if (figures.empty()) return "";
  std::string out = "<div class=\"figures\">\n";
  for (std::size_t i = 0; i < figures.size(); ++i) out += html(figures[i], fmt::format("{}-{}", id, i + 1));
  return out + "</div>\n";
}

std::string gains(const std::string& family, const std::vector<AdvicePiece>& pieces,
                  const std::vector<Device>& devices) {
  std::string narrow, wide;
  for (const AdvicePiece& piece : pieces) {
    if (piece.family != family) continue;
    const std::string anchor = advice_anchor(piece.id);
    int number = 1;
    for (const Figure& figure : gain_figures(piece, devices)) {
      const std::string id = number == 1 ? anchor : fmt::format("{}-{}", anchor, number);
      (figure.wide ? wide : narrow) += html(figure, id);
      ++number;
    }
  }
  if (narrow.empty() && wide.empty()) return "";
  return "<h3>What its advice gives</h3>\n<div class=\"figures\">\n" + narrow + wide + "</div>\n";
}

std::string half_width_text(const figures::Estimate& time) {
  if (!time.low_s || !time.high_s) return "";
  const units::Scale scale = units::scale_for(time.location_s, units::Unit::seconds);
  return fmt::format("{} to {} {}", units::format_significant(*time.low_s / scale.factor, 4),
                     units::format_significant(*time.high_s / scale.factor, 4), scale.suffix);
}

std::string remarks_of(const Measured& measured) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  };
  for (const std::string& flag : measured.figure.caveats) add(flag);
  for (const figures::CounterValue& counter : measured.figure.counters) add(figures::counter_text(counter));
  add(measured.figure.note);
  return text;
}

std::vector<std::string> numbers_of(const Measured& measured, const std::vector<Device>& devices) {
  const figures::Figure& figure = measured.figure;
  std::string rate, share;
  if (figure.rate && !figure.shown_as_time) {
    rate = figures::rate_text(figure.rate->quantity, figure.rate->per_second);
    if (const auto of_limit = figure.rate->share_of_limit()) share = units::format_percent(*of_limit);
  }
  std::vector<std::string> cells{figure.name};
  if (devices.size() > 1) cells.push_back(devices[measured.device].label);
  cells.insert(cells.end(),
               {record::to_string(figure.mode), units::format(figure.time->location_s, units::Unit::seconds),
                half_width_text(*figure.time), units::format_percent(figure.time->level), rate, share,
                fmt::format("{}", figure.time->processes_s.size()), fmt::format("{}", measured.figure.samples),
                remarks_of(measured)});
  return cells;
}

std::string all_numbers(const Family& family, const std::vector<Device>& devices) {
  TextTable table;
  table.titles = {"benchmark", "mode",     "time",      "interval", "level",
                  "rate",      "of limit", "processes", "samples",  "remarks"};
  table.numeric = {false, false, true, true, true, true, true, true, true, false};
  if (devices.size() > 1) {
    table.titles.insert(table.titles.begin() + 1, "device");
    table.numeric.insert(table.numeric.begin() + 1, false);
  }
  for (const Operation& operation : family.operations) {
    for (const Measured& one : operation.measured) {
      if (!one.figure.time) continue;
      table.rows.push_back(numbers_of(one, devices));
      table.devices.push_back(one.device);
    }
  }
  if (table.rows.empty()) return "";
  return folded(fmt::format("All numbers of <code>{}</code>: {}", safe(family.name),
                            counted(static_cast<std::int64_t>(table.rows.size()), "row", "rows")),
                html(table));
}

std::string not_measured(const Family& family, const std::vector<Device>& devices) {
  TextTable table;
  table.titles = {"benchmark", "device", "status", "reason"};
  bool any_failed = false;
  for (const Operation& operation : family.operations) {
    for (const Measured& one : operation.measured) {
      if (one.figure.time || !one.figure.is_main) continue;
      any_failed |= one.figure.failed > 0;
      table.rows.push_back({one.figure.name, devices[one.device].label, one.figure.failed > 0 ? "failed" : "skipped",
                            one.figure.reason});
      table.devices.push_back(one.device);
    }
  }
  if (table.rows.empty()) return "";
  return folded(fmt::format("Not measured: {}{}",
                            counted(static_cast<std::int64_t>(table.rows.size()), "benchmark", "benchmarks"),
                            any_failed ? ", some of them failed" : ""),
                html(table));
}

}  // namespace

std::string family_section(const Family& family, const std::vector<AdvicePiece>& pieces,
                           const std::vector<Device>& devices, const std::string& id) {
  const std::string figures = in_grid(figures_of(family, devices), id);
  std::string out = figures.empty() ? "<p>Nothing of this family has a time.</p>\n" : figures;
  return out + gains(family.name, pieces, devices) + all_numbers(family, devices) + not_measured(family, devices);
}

}  // namespace cupel::report::html
