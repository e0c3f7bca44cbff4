#include "cupel/report/html/sections.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cupel/figures/words.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/report/show/items.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report::html {
namespace {

// Narrow ones first.
Blocks gains(const std::string& family, const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices) {
  Blocks charts;
  for (const AdvicePiece& piece : pieces) {
    if (piece.family != family) continue;
    const std::string anchor = advice_anchor(piece.id);
    int number = 1;
    for (Chart& chart : gain_charts(piece, devices)) {
      chart.id = number == 1 ? anchor : fmt::format("{}-{}", anchor, number);
      charts.push_back(std::move(chart));
      ++number;
    }
  }
  std::ranges::stable_partition(charts, [](const Block& block) { return !std::get<Chart>(block).is_wide; });
  if (!charts.empty()) charts.insert(charts.begin(), Heading{"What its advice gives", 3});
  return charts;
}

std::string remarks_of(const DeviceFigure& measured) {
  std::string text = units::joined(measured.figure.caveats, "; ");
  for (const figures::CounterValue& counter : measured.figure.counters) {
    if (!is_of_item(counter)) units::append(text, figures::counter_text(counter), "; ");
  }
  if (const std::size_t items = items_of(measured.figure); items > 0) {
    units::append(text, counted(static_cast<std::int64_t>(items), "item") + " (cupel show FILE --items)", "; ");
  }
  units::append(text, measured.figure.note, "; ");
  return text;
}

std::vector<std::string> numbers_of(const DeviceFigure& measured) {
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

std::string rows_text(const Table& table) { return counted(std::ssize(table.lines), "row"); }

Blocks every_number(const Family& family) {
  Table table({left("benchmark"), left("device"), left("mode"), right("time"), right(spread_word(members_of(family))),
               right("level"), right("rate"), right("of limit"), right("processes"), right("samples"),
               left("remarks")});
  for (const DeviceFigure* one : members_of(family)) {
    if (one->figure.time) table.row(numbers_of(*one), one->device->number);
  }
  if (table.empty()) return {};
  return {Folded{"All numbers of " + family.name + ": " + rows_text(table), {table}}};
}

Blocks not_measured(const Family& family) {
  Table table({left("benchmark"), left("device"), left("status"), left("reason")});
  bool any_failed = false;
  for (const DeviceFigure* one : members_of(family)) {
    if (one->figure.time || !one->figure.is_main) continue;
    const bool failed = one->figure.failed > 0;
    any_failed |= failed;
    table.row({one->figure.name, one->device->label, failed ? "failed" : "skipped", one->figure.reason},
              one->device->number);
  }
  if (table.empty()) return {};
  const std::string what = counted(std::ssize(table.lines), "benchmark");
  return {Folded{"Not measured: " + what + (any_failed ? ", some of them failed" : ""), {table}}};
}

}  // namespace

std::string family_section(const Family& family, const std::vector<AdvicePiece>& pieces,
                           const std::vector<Device>& devices, const std::string& id) {
  Blocks blocks;
  for (Chart& chart : charts_of(family, devices)) {
    chart.id = fmt::format("{}-{}", id, blocks.size() + 1);
    blocks.push_back(std::move(chart));
  }
  if (blocks.empty()) blocks.push_back(Paragraph{"Nothing of this family has a time."});
  for (Blocks part : {gains(family.name, pieces, devices), every_number(family), not_measured(family)})
    std::ranges::move(part, std::back_inserter(blocks));
  return as_html(blocks);
}

}  // namespace cupel::report::html
