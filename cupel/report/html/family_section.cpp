#include "cupel/report/html/sections.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "cupel/figures/items.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/report/page/html_text.hpp"
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
    if (!figures::is_of_item(counter)) units::append(text, figures::counter_text(counter), "; ");
  }
  if (const std::size_t items = figures::items_of(measured.figure).size(); items > 0) {
    units::append(text, counted(static_cast<std::int64_t>(items), "item") + " (cupel show FILE --items)", "; ");
  }
  units::append(text, measured.figure.note, "; ");
  return text;
}

// A benchmark in one mode: its figure on each device, null where it has none.
struct Matched {
  std::string name;
  record::Mode mode = record::Mode::host;
  std::vector<const DeviceFigure*> on;

  const DeviceFigure* first() const {
    return *std::ranges::find_if(on, [](const DeviceFigure* one) { return one != nullptr; });
  }
};

// Matches all that have a time, or all that have none.
std::vector<Matched> matched(const Family& family, const std::vector<Device>& devices, bool with_time) {
  std::vector<Matched> all;
  std::map<std::pair<std::string_view, record::Mode>, std::size_t> index;
  for (const DeviceFigure* one : members_of(family)) {
    const figures::Figure& figure = one->figure;
    if (figure.time.has_value() != with_time || (!with_time && !figure.is_main)) continue;
    const auto [found, is_new] = index.try_emplace({figure.name, figure.mode}, all.size());
    if (is_new) all.push_back({figure.name, figure.mode, std::vector<const DeviceFigure*>(devices.size())});
    all[found->second].on[one->device->number] = one;
  }
  return all;
}

// How far the time on another device is from that on the first, as a logarithm; 0 where their ranges meet.
double difference(const Matched& row) {
  double most = 0;
  for (const DeviceFigure* one : row.on) {
    if (one == nullptr || row.on.front() == nullptr) continue;
    const figures::Estimate &here = *row.on.front()->figure.time, &there = *one->figure.time;
    const auto low = [](const figures::Estimate& time) { return time.low_s.value_or(time.location_s); };
    const auto high = [](const figures::Estimate& time) { return time.high_s.value_or(time.location_s); };
    if (low(here) > high(there) || low(there) > high(here))
      most = std::max(most, std::abs(std::log(there.location_s / here.location_s)));
  }
  return most;
}

std::string spread_of(const DeviceFigure& one) {
  const figures::Estimate& time = *one.figure.time;
  const Value value{time.location_s, time.low_s, time.high_s, std::nullopt};
  if (!value.low) return "";
  return fmt::format("{} {} ({})", ends_text(value, Quantity::time),
                     units::scale_for(value.location, units::Unit::seconds).suffix,
                     time.is_range() ? "range" : units::format_percent(time.level));
}

bool has_rate(const DeviceFigure& one) { return one.figure.rate && !one.figure.shown_as_time; }

std::string share_of_limit(const DeviceFigure& one) {
  const auto share = has_rate(one) ? one.figure.rate->share_of_limit() : std::nullopt;
  return share ? units::format_percent(*share) : "";
}

std::string ratio_to_first(const Matched& row, const DeviceFigure& one) {
  if (row.on.front() == nullptr || row.on.front() == &one) return "";
  return units::format_significant(one.figure.time->location_s / row.on.front()->figure.time->location_s);
}

// A column for each device, titled with its name where there are several.
struct DeviceColumn {
  const char* title;
  Align align;
  std::function<std::string(const Matched&, const DeviceFigure&)> cell;
};

Table side_by_side(const std::vector<Matched>& rows, const std::vector<Device>& devices,
                   const std::vector<DeviceColumn>& columns) {
  Table table({left("benchmark"), left("mode")});
  for (const DeviceColumn& column : columns) {
    for (const Device& device : devices)
      table.columns.push_back({.title = column.title + (device.name.empty() ? "" : " " + device.name),
                               .align = column.align,
                               .device = device.number});
  }
  table.columns.push_back(left("remarks"));
  for (const Matched& row : rows) {
    std::vector<std::string> cells{row.name, row.first()->figure.time ? record::to_string(row.mode) : ""};
    for (const DeviceColumn& column : columns) {
      for (const DeviceFigure* one : row.on) cells.push_back(one == nullptr ? "" : column.cell(row, *one));
    }
    std::vector<std::string> remarks;
    for (const DeviceFigure* one : row.on) units::add_once(remarks, one == nullptr ? "" : remarks_of(*one));
    std::erase(remarks, "");
    cells.push_back(units::joined(remarks, "; "));
    table.row(std::move(cells));
  }
  return table;
}

Blocks every_number(const Family& family, const std::vector<Device>& devices) {
  std::vector<Matched> rows = matched(family, devices, true);
  if (rows.empty()) return {};
  std::ranges::stable_sort(rows, std::greater(), difference);
  const std::string count = counted(std::ssize(rows), "row");
  Table table = side_by_side(
      rows, devices,
      {{"time", Align::right,
        [](const Matched&, const DeviceFigure& one) {
          return units::format(one.figure.time->location_s, units::Unit::seconds);
        }},
       {"ratio", Align::right, ratio_to_first},
       {spread_word(members_of(family)), Align::right,
        [](const Matched&, const DeviceFigure& one) { return spread_of(one); }},
       {"rate", Align::right,
        [](const Matched&, const DeviceFigure& one) {
          return has_rate(one) ? figures::known_rate_text(one.figure) : "";
        }},
       {"of limit", Align::right, [](const Matched&, const DeviceFigure& one) { return share_of_limit(one); }},
       {"n", Align::right, [](const Matched&, const DeviceFigure& one) { return n_text(one); }}});
  return {Folded{"All numbers of " + family.name + ": " + count, {std::move(table)}}};
}

Blocks not_measured(const Family& family, const std::vector<Device>& devices) {
  const std::vector<Matched> rows = matched(family, devices, false);
  if (rows.empty()) return {};
  const auto failed = [](const DeviceFigure* one) { return one != nullptr && one->figure.failed > 0; };
  const bool any_failed =
      std::ranges::any_of(rows, [&](const Matched& row) { return std::ranges::any_of(row.on, failed); });
  const std::string count = counted(std::ssize(rows), "benchmark");
  Table table = side_by_side(rows, devices, {{"status", Align::left, [&](const Matched&, const DeviceFigure& one) {
                                                return (failed(&one) ? "failed: " : "skipped: ") + one.figure.reason;
                                              }}});
  return {Folded{"Not measured: " + count + (any_failed ? ", some of them failed" : ""), {std::move(table)}}};
}

}  // namespace

Blocks family_blocks(const Family& family, const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices,
                     const std::string& id) {
  Blocks blocks;
  for (Chart& chart : charts_of(family, devices)) {
    chart.id = fmt::format("{}-{}", id, blocks.size() + 1);
    blocks.push_back(std::move(chart));
  }
  if (blocks.empty()) blocks.push_back(Paragraph{"Nothing of this family has a time."});
  for (Blocks part :
       {gains(family.name, pieces, devices), every_number(family, devices), not_measured(family, devices)})
    std::ranges::move(part, std::back_inserter(blocks));
  return blocks;
}

}  // namespace cupel::report::html
