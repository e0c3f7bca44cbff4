#include "cupel/report/html/sections.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "cupel/figures/items.hpp"
#include "cupel/figures/pivot.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/report/html/side_by_side.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report::html {
namespace {

std::vector<std::string> sentences_of(const std::string& caption) {
  std::vector<std::string> sentences;
  std::string_view left = caption;
  for (std::size_t at = 0; (at = left.find(". ")) != left.npos; left.remove_prefix(at + 2))
    sentences.emplace_back(left.substr(0, at + 1));
  if (!left.empty()) sentences.emplace_back(left);
  return sentences;
}

// "Cold.", as captions have it.
bool is_of_mode(const std::string& sentence) {
  constexpr auto kModes = names_of(record::Mode{});
  return std::ranges::any_of(kModes, [&](std::string_view mode) {
    return sentence.size() == mode.size() + 1 && std::string_view(sentence).substr(1).starts_with(mode.substr(1));
  });
}

bool is_of_n(const std::string& sentence) { return sentence.starts_with("n: "); }

// Takes the sentence of this kind that most captions have out of them, to be said once above the figures.
std::string take_usual(std::vector<Chart>& charts, bool (*is_it)(const std::string&)) {
  std::vector<std::string> all;
  for (const Chart& chart : charts) std::ranges::copy_if(sentences_of(chart.caption), std::back_inserter(all), is_it);
  const std::optional<std::string> usual = units::most_common(all);
  if (!usual || std::ranges::count(all, *usual) < 2) return "";
  for (Chart& chart : charts) {
    std::vector<std::string> left = sentences_of(chart.caption);
    std::erase(left, *usual);
    chart.caption = units::joined(left, " ");
  }
  std::string text = *usual;
  if (!is_of_n(text)) text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return "Where a figure says nothing else: " + text;
}

// Narrow ones first.
Blocks gains(const std::string& family, const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices) {
  std::vector<Chart> charts;
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
  if (charts.empty()) return {};
  std::ranges::stable_partition(charts, [](const Chart& chart) { return !chart.is_wide; });
  Blocks blocks{Heading{"What its advice gives", 3}};
  if (const std::string usual = take_usual(charts, is_of_n); !usual.empty()) blocks.push_back(Paragraph{usual});
  std::ranges::move(charts, std::back_inserter(blocks));
  return blocks;
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

// The greatest of the times on other devices from that on the first.
double difference_of(const Matched& row) {
  const auto time_of = [](const DeviceFigure& one) {
    const figures::Estimate& time = *one.figure.time;
    return PlotMark{.value = time.location_s, .low = time.low_s, .high = time.high_s};
  };
  double most = 0;
  for (const DeviceFigure* one : row.on) {
    if (one != nullptr && one->figure.time && row.on.front() != nullptr && row.on.front()->figure.time)
      most = std::max(most, difference(time_of(*row.on.front()), time_of(*one)));
  }
  return most;
}

// intervals: whether the column is of them, so that a range says that it is one.
std::string spread_of(const DeviceFigure& one, bool intervals) {
  const figures::Estimate& time = *one.figure.time;
  const Value value{time.location_s, time.low_s, time.high_s, std::nullopt};
  if (!value.low) return "";
  const std::string ends = fmt::format("{} {}", ends_text(value, Quantity::time),
                                       units::scale_for(value.location, units::Unit::seconds).suffix);
  if (!intervals) return ends;
  return fmt::format("{} ({})", ends, time.is_range() ? "range" : units::format_percent(time.level));
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

constexpr const char* kRatio = "ratio";  // of a device to the first

std::string title_of(const DeviceColumn& column, const Device& device, const std::vector<Device>& devices) {
  if (column.title == kRatio) return ratio_title(device, devices);
  return column.title + (device.name.empty() ? "" : " " + device.name);
}

// name: what the benchmark is called in the table.
std::vector<std::string> cells_of(const Matched& row, const std::string& name,
                                  const std::vector<DeviceColumn>& columns) {
  std::vector<std::string> cells{name, row.first()->figure.time ? record::to_string(row.mode) : ""};
  for (const DeviceColumn& column : columns) {
    for (const DeviceFigure* one : row.on) cells.push_back(one == nullptr ? "" : column.cell(row, *one));
  }
  std::vector<std::string> remarks;
  for (const DeviceFigure* one : row.on) units::add_once(remarks, one == nullptr ? "" : remarks_of(*one));
  std::erase(remarks, "");
  cells.push_back(units::joined(remarks, "; "));
  return cells;
}

Table empty_table(const std::vector<Device>& devices, const std::vector<DeviceColumn>& columns) {
  Table table({left("benchmark"), left("mode")});
  for (const DeviceColumn& column : columns) {
    for (const Device& device : devices)
      table.columns.push_back(
          {.title = title_of(column, device, devices), .align = column.align, .device = device.number});
  }
  table.columns.push_back(left("remarks"));
  return table;
}

// The rows of an operation under what their names have in common.
void add_operation(Table& table, const std::vector<const Matched*>& rows, const std::vector<DeviceColumn>& columns) {
  std::vector<std::string> names;
  for (const Matched* row : rows) units::add_once(names, row->name);
  const figures::Parts common = names.size() < 2 ? figures::Parts{} : figures::common_parts(names);
  const std::string params = figures::text_of(common);
  table.group(rows.front()->first()->figure.operation + (params.empty() ? "" : " ") + params);
  for (const Matched* row : rows) table.row(cells_of(*row, figures::label_without(row->name, common), columns));
}

// Whole names of one device. Of several, operations with the greatest differences first, and so the rows of each.
Table device_table(const std::vector<Matched>& rows, const std::vector<Device>& devices,
                   const std::vector<DeviceColumn>& columns) {
  Table table = empty_table(devices, columns);
  if (devices.size() < 2) {
    for (const Matched& row : rows) table.row(cells_of(row, row.name, columns));
    return table;
  }
  struct Rows {
    std::string operation;
    std::vector<const Matched*> rows;
  };
  std::vector<Rows> operations;
  for (const Matched& row : rows)
    units::entry(operations, row.first()->figure.operation, &Rows::operation).rows.push_back(&row);
  const auto difference_at = [](const Matched* row) { return difference_of(*row); };
  for (Rows& one : operations) std::ranges::stable_sort(one.rows, std::greater(), difference_at);
  std::ranges::stable_sort(operations, std::greater(),
                           [](const Rows& one) { return difference_of(*one.rows.front()); });
  for (const Rows& one : operations) add_operation(table, one.rows, columns);
  return table;
}

Blocks every_number(const Family& family, const std::vector<Device>& devices) {
  const std::vector<Matched> rows = matched(family, devices, true);
  if (rows.empty()) return {};
  const std::string count = counted(std::ssize(rows), "row");
  const bool intervals = have_intervals(members_of(family));
  Table table = device_table(
      rows, devices,
      {{"time", Align::right,
        [](const Matched&, const DeviceFigure& one) {
          return units::format(one.figure.time->location_s, units::Unit::seconds);
        }},
       {kRatio, Align::right, ratio_to_first},
       {spread_word(members_of(family)), Align::right,
        [intervals](const Matched&, const DeviceFigure& one) { return spread_of(one, intervals); }},
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
  Table table = device_table(rows, devices, {{"status", Align::left, [&](const Matched&, const DeviceFigure& one) {
                                                return (failed(&one) ? "failed: " : "skipped: ") + one.figure.reason;
                                              }}});
  return {Folded{"Not measured: " + count + (any_failed ? ", some of them failed" : ""), {std::move(table)}}};
}

}  // namespace

Blocks family_blocks(const Family& family, const std::vector<AdvicePiece>& pieces, const std::vector<Device>& devices,
                     const std::string& id) {
  Blocks blocks;
  std::vector<Chart> charts = charts_of(family, devices);
  std::string head = limits_sentence(members_of(family));
  units::append(head, take_usual(charts, is_of_mode), " ");
  if (!head.empty()) blocks.push_back(Paragraph{head});
  int number = 0;
  for (Chart& chart : charts) {
    chart.id = fmt::format("{}-{}", id, ++number);
    blocks.push_back(std::move(chart));
  }
  if (charts.empty()) blocks.push_back(Paragraph{"Nothing of this family has a time."});
  for (Blocks part :
       {gains(family.name, pieces, devices), every_number(family, devices), not_measured(family, devices)})
    std::ranges::move(part, std::back_inserter(blocks));
  return blocks;
}

}  // namespace cupel::report::html
