#include "cupel/report/html/sections.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cupel/figures/words.hpp"
#include "cupel/report/page/chart.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/lists.hpp"
#include "cupel/report/show/items.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report::html {
namespace {

std::string in_grid(const std::vector<Chart>& charts, const std::string& id) {
  if (charts.empty()) return "";
  std::string out = "<div class=\"figures\">\n";
  for (std::size_t i = 0; i < charts.size(); ++i) out += html(charts[i], fmt::format("{}-{}", id, i + 1));
  return std::move(out) + "</div>\n";
}

std::string gains(const std::string& family, const std::vector<AdvicePiece>& pieces,
                  const std::vector<Device>& devices) {
  std::string narrow, wide;
  for (const AdvicePiece& piece : pieces) {
    if (piece.family != family) continue;
    const std::string anchor = advice_anchor(piece.id);
    int number = 1;
    for (const Chart& chart : gain_charts(piece, devices)) {
      const std::string id = number == 1 ? anchor : fmt::format("{}-{}", anchor, number);
      (chart.wide ? wide : narrow) += html(chart, id);
      ++number;
    }
  }
  if (narrow.empty() && wide.empty()) return "";
  return "<h3>What its advice gives</h3>\n<div class=\"figures\">\n" + narrow + wide + "</div>\n";
}

std::string remarks_of(const Measured& measured) {
  std::string text = joined(measured.figure.caveats, "; ");
  for (const figures::CounterValue& counter : measured.figure.counters) {
    if (!is_of_item(counter)) append(text, figures::counter_text(counter), "; ");
  }
  if (const std::size_t items = items_of(measured.figure); items > 0) {
    append(text, counted(static_cast<std::int64_t>(items), "item") + " (cupel show FILE --items)", "; ");
  }
  append(text, measured.figure.note, "; ");
  return text;
}

std::vector<std::string> numbers_of(const Measured& measured) {
  const figures::Figure& figure = measured.figure;
  const Value time{figure.time->location_s, figure.time->low_s, figure.time->high_s, std::nullopt};
  std::string rate, share;
  if (figure.rate && !figure.shown_as_time) {
    rate = figures::known_rate_text(figure);
    if (const auto of_limit = figure.rate->share_of_limit()) share = units::format_percent(*of_limit);
  }
  return {figure.name,
          measured.device->name,
          record::to_string(figure.mode),
          units::format(time.location, units::Unit::seconds),
          time.low ? fmt::format("{} {}{}", ends_text(time, Quantity::time),
                                 units::scale_for(time.location, units::Unit::seconds).suffix,
                                 figure.time->is_range() ? " (range)" : "")
                   : "",
          figure.time->is_range() ? "" : units::format_percent(figure.time->level),
          rate,
          share,
          fmt::format("{}", figure.time->processes_s.size()),
          fmt::format("{}", figure.samples),
          remarks_of(measured)};
}

std::string every_number(const Family& family) {
  Table table({left("benchmark"), left("device"), left("mode"), right("time"), right(spread_word(members_of(family))),
               right("level"), right("rate"), right("of limit"), right("processes"), right("samples"),
               left("remarks")});
  Marks marks;
  for (const Measured* one : members_of(family)) {
    if (!one->figure.time) continue;
    table.row(numbers_of(*one));
    marks.devices.push_back(one->device->number);
  }
  if (table.empty()) return "";
  return folded(
      fmt::format("All numbers of <code>{}</code>: {}", safe(family.name), counted(std::ssize(marks.devices), "row")),
      html(table, marks));
}

std::string not_measured(const Family& family) {
  Table table({left("benchmark"), left("device"), left("status"), left("reason")});
  Marks marks;
  bool any_failed = false;
  for (const Measured* one : members_of(family)) {
    if (one->figure.time || !one->figure.is_main) continue;
    const bool failed = one->figure.failed > 0;
    any_failed |= failed;
    table.row({one->figure.name, one->device->label, failed ? "failed" : "skipped", one->figure.reason});
    marks.devices.push_back(one->device->number);
  }
  if (table.empty()) return "";
  return folded(fmt::format("Not measured: {}{}", counted(std::ssize(marks.devices), "benchmark"),
                            any_failed ? ", some of them failed" : ""),
                html(table, marks));
}

}  // namespace

std::string family_section(const Family& family, const std::vector<AdvicePiece>& pieces,
                           const std::vector<Device>& devices, const std::string& id) {
  const std::string figures = in_grid(charts_of(family, devices), id);
  std::string out = figures.empty() ? "<p>Nothing of this family has a time.</p>\n" : figures;
  return std::move(out) + gains(family.name, pieces, devices) + every_number(family) + not_measured(family);
}

}  // namespace cupel::report::html
