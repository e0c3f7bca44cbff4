#include "cupel/report/html/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cupel/advice/words.hpp"
#include "cupel/figures/facets.hpp"
#include "cupel/figures/pace.hpp"
#include "cupel/figures/pivot.hpp"
#include "cupel/figures/waterfall.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/report/html/side_by_side.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/palette.hpp"
#include "cupel/report/show/waterfall.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::report::html {
namespace {

constexpr std::size_t kFew = 4;        // benchmarks of one operation that do not earn a figure of their own
constexpr std::size_t kManyRows = 24;  // rows of a figure that are shown unfolded

Members with_time(const Operation& operation) {
  Members members;
  for (const DeviceFigure& one : operation.measured) {
    if (one.figure.is_main && one.value(Quantity::time)) members.push_back(&one);
  }
  return members;
}

// Takes out those that have what most of them are known by; all by their time where that cannot be drawn of any.
std::pair<Quantity, Members> take_known(Members& members) {
  const Quantity quantity = figures::quantity_of(figures_of(members));
  const auto rest =
      std::ranges::stable_partition(members, [&](const DeviceFigure* one) { return one->value(quantity).has_value(); });
  if (rest.begin() == members.begin()) return {Quantity::time, std::exchange(members, {})};
  Members known(members.begin(), rest.begin());
  members.erase(members.begin(), rest.begin());
  return {quantity, known};
}

// Members that one chart has, and what they share.
struct Facet {
  std::string label;
  Members members;
};

std::vector<Facet> parts_of(const Members& members, const std::vector<figures::Facet>& facets) {
  std::vector<Facet> parts;
  for (const figures::Facet& facet : facets) {
    Facet& part = parts.emplace_back(Facet{facet.label, {}});
    for (const std::size_t i : facet.members) part.members.push_back(members[i]);
  }
  return parts;
}

std::string axis_words(const std::string& key) {
  std::string words = key == "bytes" ? "size" : key;
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string axis_value(const std::string& key, double value) {
  if (key.ends_with("bytes") && value >= 0 && value < 9e18) return units::format_size(static_cast<std::int64_t>(value));
  return tick_text(value, units::Unit::count);
}

Round round_of(const Quantity& quantity) {
  return unit_of(quantity) == units::Unit::bytes ? Round::binary : Round::decimal;
}

// ---- Lines

ChartPoint point_of(const DeviceFigure& measured, const std::string& axis, const Quantity& quantity, bool intervals) {
  const Value value = drawn(measured, quantity, intervals);
  return {units::finite_number(figures::param_of(measured.figure, axis)).value_or(0), value.location, value.low,
          value.high, tip_lines(measured, quantity)};
}

// Cold, hot, sustained and host times, in this order.
std::vector<record::Mode> modes_of(const Members& members, const Quantity& quantity) {
  std::set<record::Mode> modes;
  for (const DeviceFigure* one : members) {
    if (quantity.kind != Quantity::counter) modes.insert(one->figure.mode);
  }
  return {modes.begin(), modes.end()};
}

// A series is a label on a device; labels have colours, devices dashes. A single label leaves colours to devices.
std::vector<ChartSeries> series_of(const Members& members, const std::string& axis, const Quantity& quantity) {
  const std::vector<std::string> keys = figures::varying_keys(figures_of(members), axis);
  const bool intervals = have_intervals(members);
  const std::vector<record::Mode> modes = modes_of(members, quantity);
  std::vector<ChartSeries> all;
  std::map<std::pair<std::string, std::size_t>, std::size_t> index;
  std::map<std::string, std::size_t> colours;
  for (const DeviceFigure* one : members) {
    const std::string label = figures::line_label(one->figure, keys);
    const std::size_t colour = colours.emplace(label, colours.size()).first->second;
    const std::size_t device = one->device->number;
    const auto [found, is_new] = index.emplace(std::pair(label, device), all.size());
    if (is_new) all.push_back({label, keys.empty() ? device : colour, device, {}});
    all[found->second].points.push_back(point_of(*one, axis, quantity, intervals));
    if (modes.size() > 1)
      all[found->second].points.back().mark =
          static_cast<std::size_t>(std::ranges::find(modes, one->figure.mode) - modes.begin());
  }
  for (ChartSeries& series : all) {
    std::ranges::stable_sort(series.points, [](const auto& a, const auto& b) { return a.x < b.x; });
  }
  return all;
}

// One line for each limit of each device, or of all of them that are alike. A limit that only one colour is held
// against has that colour.
std::vector<ChartGuide> guides_of(const Members& members, const std::vector<ChartSeries>& series,
                                  const std::string& axis, const Quantity& quantity) {
  const std::vector<std::string> keys = figures::varying_keys(figures_of(members), axis);
  struct Seen {
    std::string name;
    std::vector<const Device*> devices;
    std::set<std::string> labels, names;
  };
  std::map<double, Seen> seen;
  std::set<const Device*> devices;
  for (const DeviceFigure* one : members) {
    const Value value = *one->value(quantity);
    if (!value.limit) continue;
    Seen& entry = seen[*value.limit];
    devices.insert(one->device);
    units::add_once(entry.devices, one->device);
    entry.labels.insert(figures::line_label(one->figure, keys));
    const std::string& name = one->figure.limit->name;
    if (entry.names.insert(name).second) units::append(entry.name, name);
  }
  std::vector<ChartGuide> guides;
  for (auto& [y, entry] : seen) {
    ChartGuide& guide = guides.emplace_back(ChartGuide{y, entry.name, std::nullopt, std::nullopt});
    if (devices.size() > 1 && entry.devices.size() == 1) {
      guide.label += " of " + entry.devices.front()->name;
      guide.device = entry.devices.front()->number;
    } else if (devices.size() == 1) {
      guide.device = entry.devices.front()->number;
    }
    for (const ChartSeries& one : series) {
      if (seen.size() > 1 && entry.labels.size() == 1 && one.label == *entry.labels.begin() &&
          entry.devices.size() == 1 && one.device == entry.devices.front()->number)
        guide.colour = one.colour;
    }
  }
  return guides;
}

LineChart lines_of(const Facet& facet, const std::string& axis, const Quantity& quantity) {
  LineChart chart;
  chart.x_title = axis_words(axis);
  chart.y_title = title_of(quantity);
  chart.x_label = [axis](double value) { return axis_value(axis, value); };
  chart.y_label = [quantity](double value) { return tick_text(value, unit_of(quantity)); };
  chart.y_round = round_of(quantity);
  chart.series = series_of(facet.members, axis, quantity);
  chart.guides = guides_of(facet.members, chart.series, axis, quantity);
  for (const record::Mode mode : modes_of(facet.members, quantity)) chart.marks.emplace_back(to_string(mode));
  return chart;
}

Chart line_chart(const std::string& operation, const Facet& facet, const Quantity& quantity, LineChart lines,
                 const std::vector<Device>& devices) {
  const std::string words = lines.y_title + " against " + lines.x_title;
  lines.description = operation + " " + facet.label + ": " + words;
  return {.name = operation,
          .title = facet.label,
          .words = words,
          .drawing = std::move(lines),
          .caption = caption(facet.members, quantity),
          .devices = labels_of(devices)};
}

Facet on_device(const Facet& facet, const Device& device) {
  Facet part = facet;
  std::erase_if(part.members, [&](const DeviceFigure* one) { return one->device != &device; });
  units::append(part.label, "on " + device.name, " ");
  return part;
}

// One chart, or where it has no room for all labels on all devices, one a device beside each other on the same scales.
// The last has the ratios.
std::vector<Chart> line_charts(const std::string& operation, const Facet& facet, const std::string& axis,
                               const Quantity& quantity, const std::vector<Device>& devices) {
  const LineChart lines = lines_of(facet, axis, quantity);
  std::vector<Chart> charts;
  if (figures::has_room(figures_of(facet.members), axis, most_labels(devices))) {
    charts.push_back(line_chart(operation, facet, quantity, lines, devices));
  } else {
    for (const Device& device : devices) {
      const Facet part = on_device(facet, device);
      if (part.members.empty()) continue;
      charts.push_back(line_chart(operation, part, quantity, of_device(lines, device.number), devices));
      if (charts.size() > 1) charts.back().caption += " Same scale as " + charts.front().title + ".";
    }
    charts.front().begins_row = charts.size() > 1;
  }
  units::append(charts.back().caption, ratios_sentence(lines, devices), " ");
  return charts;
}

// ---- Rows

std::string mode_text(const DeviceFigure& measured, const Quantity& quantity) {
  return quantity.kind == Quantity::counter ? "" : to_string(measured.figure.mode);
}

PlotRow row_of(const DeviceFigure& measured, const std::string& label, const Quantity& quantity, bool intervals) {
  const Value value = drawn(measured, quantity, intervals);
  return {.label = label,
          .remark = measured.device->name,
          .device = measured.device->number,
          .value = value.location,
          .low = value.low,
          .high = value.high,
          .limit = value.limit,
          .cells = {value_text(value.location, quantity), ends_text(value, quantity),
                    value.limit ? units::format_percent(value.location / value.reachable()) : "",
                    n_text(measured, quantity), mode_text(measured, quantity),
                    fmt::format("{}", fmt::join(measured.figure.caveats, ", "))},
          .tip = tip_lines(measured, quantity)};
}

RowPlot empty_plot(const Quantity& quantity) {
  RowPlot plot;
  plot.label_title = "benchmark";
  plot.axis_title = title_of(quantity);
  plot.tick = [quantity](double value) { return tick_text(value, unit_of(quantity)); };
  plot.round = round_of(quantity);
  plot.titles = {title_of(quantity), "interval", "of limit", "n", kModeColumn, "remarks"};
  return plot;
}

// Leaves the column of modes where rows differ in them; the caption says the one that all have.
void keep_modes_that_differ(RowPlot& plot, const Members& members, const Quantity& quantity) {
  if (modes_of(members, quantity).size() > 1) return;
  const auto column = std::ranges::find(plot.titles, kModeColumn) - plot.titles.begin();
  for (PlotRow& row : plot.rows) row.cells[static_cast<std::size_t>(column)].clear();
}

// heading: a chart's name and words.
Chart rows_chart(Chart heading, const Members& members, const Quantity& quantity, RowPlot plot,
                 const std::vector<Device>& devices) {
  keep_modes_that_differ(plot, members, quantity);
  std::ranges::replace(plot.titles, "interval", spread_word(members));
  plot = side_by_side(std::move(plot), devices);
  if (plot.rows.size() > kManyRows) heading.folded = fmt::format("{} rows", plot.rows.size());
  heading.caption = caption(members, quantity, devices.size() < 2);
  heading.drawing = std::move(plot);
  heading.is_wide = true;
  return heading;
}

// The parameters that all have, which their title says once.
figures::Parts common_params(const Members& members) {
  std::vector<std::string> names;
  for (const DeviceFigure* one : members) units::add_once(names, one->figure.name);
  return names.size() < 2 ? figures::Parts{} : figures::common_parts(names);
}

// How a row of several operations is called: the family's name stands in the title.
std::string name_in_family(const figures::Figure& figure) {
  const std::string family = figure.family + "/";
  return figure.operation.starts_with(family) ? figure.operation.substr(family.size()) : figure.operation;
}

// A row each; of several operations by their names.
Chart plain_rows(Chart heading, const Members& members, const Quantity& quantity, const std::vector<Device>& devices,
                 bool has_several_operations) {
  RowPlot plot = empty_plot(quantity);
  const bool intervals = have_intervals(members);
  const figures::Parts common = common_params(members);
  heading.title = figures::text_of(common);
  for (const DeviceFigure* one : members) {
    figures::Parts params = one->figure.params;
    std::erase_if(params, [&](const auto& param) { return units::contains(common, param); });
    std::string label = figures::text_of(params);
    if (has_several_operations) label = name_in_family(one->figure) + (label.empty() ? "" : " ") + label;
    plot.rows.push_back(row_of(*one, label.empty() ? one->figure.operation : label, quantity, intervals));
  }
  return rows_chart(std::move(heading), members, quantity, std::move(plot), devices);
}

// ---- Rankings and precisions

// Every engine of one problem, fastest first on each device.
Chart ranking(const std::string& operation, const Facet& facet, const std::vector<Device>& devices) {
  Members members = facet.members;
  std::ranges::stable_sort(members, {}, [](const DeviceFigure* one) {
    return std::pair(one->device->number, one->figure.time->location_s);
  });
  const std::vector<std::string> keys = figures::varying_keys(figures_of(members), "");
  RowPlot plot = empty_plot(Quantity::time);
  plot.titles = {"time", "interval", "of the fastest", "n", kModeColumn, "counters and remarks"};
  const bool intervals = have_intervals(members);
  const DeviceFigure* fastest = members.front();
  for (const DeviceFigure* one : members) {
    if (one->device != fastest->device) fastest = one;
    PlotRow row = row_of(*one, figures::line_label(one->figure, keys), Quantity::time, intervals);
    row.cells[2] = units::format_fixed(one->figure.time->location_s / fastest->figure.time->location_s, 2) + "x";
    for (const figures::CounterValue& counter : one->figure.counters) {
      units::append(row.cells.back(), figures::counter_text(counter));
    }
    plot.rows.push_back(row);
  }
  const char* words = devices.size() < 2 ? "every choice, fastest first" : "every choice";
  return rows_chart({.name = operation, .title = facet.label, .words = words}, members, Quantity::time, plot, devices);
}

bool is_noise(const std::optional<stats::Shift>& gain) {
  return gain && gain->interval.low <= 0 && gain->interval.high >= 0;
}

// "1.09x", with a question mark where it may as well be none.
std::string short_gain_text(const std::optional<stats::Shift>& gain) {
  if (!gain) return "";
  return units::format_fixed(gain->ratio(), 2) + (is_noise(gain) ? "x ?" : "x");
}

// Each change after those before it, a bar for its time. is_short: gains without their intervals.
Chart waterfall_chart(const figures::Waterfall& waterfall, const Device& device, bool is_short = false) {
  RowPlot plot = empty_plot(Quantity::time);
  plot.label_title = "change";
  plot.titles = {"time", "memory", "gain", "gain alone", "remarks"};  // numbers all, since the last has no text
  plot.from_zero = true;
  Members members;
  std::vector<DeviceFigure> measured;
  measured.reserve(waterfall.rungs.size());
  for (const figures::Rung& rung : waterfall.rungs) {
    if (rung.with == nullptr) continue;
    measured.push_back({*rung.with, &device});
    members.push_back(&measured.back());
  }
  const bool intervals = have_intervals(members);
  const std::vector<std::string> names = change_names(waterfall);
  auto next = measured.begin();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const figures::Rung& rung = waterfall.rungs[i];
    PlotRow row = rung.with == nullptr ? PlotRow{.label = names[i], .device = device.number, .cells = {""}}
                                       : row_of(*next++, names[i], Quantity::time, intervals);
    const auto gain = is_short ? short_gain_text : gain_text;
    row.cells = {row.cells.front(), memory_text(rung), gain(rung.gain), gain(rung.alone), ""};
    plot.rows.push_back(row);
  }
  std::string caption = n_sentence(members, Quantity::time);
  units::append(caption, turned_words(waterfall, names), " ");
  return {.name = waterfall.operation,
          .title = waterfall.where,
          .words = "one change after another",
          .drawing = std::move(plot),
          .caption = std::move(caption),
          .is_wide = true};
}

// The same in little: what each change leaves of the time. alone: the table beside it has the gains of changes taken
// out of all, and so the picture has times alone.
Chart waterfall_picture(const figures::Waterfall& waterfall, const Device& device, bool alone) {
  Chart chart = waterfall_chart(waterfall, device);
  RowPlot& plot = std::get<RowPlot>(chart.drawing);
  plot.titles = {"time", alone ? "noise" : "gain"};
  bool any_noise = false;
  for (std::size_t i = 0; i < plot.rows.size(); ++i) {
    const std::optional<stats::Shift>& gain = waterfall.rungs[i].gain;
    plot.rows[i].remark.clear();
    plot.rows[i].cells = {plot.rows[i].cells.front(), alone ? is_noise(gain) ? "?" : "" : short_gain_text(gain)};
    any_noise |= is_noise(gain);
  }
  std::erase_if(plot.rows, [](const PlotRow& row) { return !row.value; });
  chart.name.clear();
  chart.title = advice::step_words(advice::step_name(waterfall));
  chart.is_picture = true;
  if (alone) chart.words = "time with each change added to those above; in the table one is taken out of all.";
  if (any_noise) chart.words += alone ? " ?: no clear change." : " ?: within noise.";
  chart.caption.clear();
  return chart;
}

// The waterfalls of one step on several devices as one.
Chart joined(std::vector<Chart> on, const std::vector<Device>& devices) {
  Chart chart = on.front();
  RowPlot& plot = std::get<RowPlot>(chart.drawing);
  std::vector<std::string> captions(devices.size());
  for (const Chart& one : on) {
    const std::vector<PlotRow>& rows = std::get<RowPlot>(one.drawing).rows;
    captions[rows.front().device] = one.caption;
    if (&one != &on.front()) plot.rows.insert(plot.rows.end(), rows.begin(), rows.end());
  }
  plot = side_by_side(std::move(plot), devices, Order::as_given, LastColumn::is_of_each_device);
  chart.caption = text_of_each(captions, devices, " ") + " ?: within noise.";
  return chart;
}

// The meaning of the columns where gains stand without their intervals.
std::string without_brackets(const std::string& words) {
  const std::size_t at = words.find("; brackets: ");
  return at == words.npos ? words : words.substr(0, at) + ".";
}

// The parts of "gain: ...; alone: ...; brackets: ...." that nobody said before, who then has.
std::string take_unsaid(std::string_view words, std::vector<std::string>& said) {
  constexpr std::string_view kBetween = "; ";
  std::vector<std::string> parts;
  words.remove_suffix(1);  // its stop
  for (const auto part : std::views::split(words, kBetween)) {
    const std::string text(part.begin(), part.end());
    if (!units::contains(said, text)) parts.push_back(text);
    units::add_once(said, text);
  }
  return parts.empty() ? "" : units::joined(parts, "; ") + ".";
}

// A figure of each step, whatever the devices. The first that has a column says what it means. said: by those before
// it.
std::vector<Chart> waterfall_charts(const Operation& operation, const std::vector<Device>& devices,
                                    std::vector<std::string>& said) {
  struct Step {
    std::string where;
    std::vector<Chart> on;
    std::string words;
  };
  std::vector<Step> steps;
  for (const Device& device : devices) {
    std::vector<figures::Figure> of_device;
    for (const DeviceFigure& one : operation.measured) {
      if (one.device == &device) of_device.push_back(one.figure);
    }
    for (const figures::Waterfall& waterfall : figures::waterfalls_of(of_device)) {
      Step& step = units::entry(steps, waterfall.where, &Step::where);
      step.on.push_back(waterfall_chart(waterfall, device, devices.size() > 1));
      if (step.words.empty()) step.words = waterfall_words(waterfall);
      if (devices.size() > 1) step.words = without_brackets(step.words);
    }
  }
  std::vector<Chart> all;
  for (Step& step : steps) {
    all.push_back(devices.size() > 1 ? joined(std::move(step.on), devices) : std::move(step.on.front()));
    units::append(all.back().caption, take_unsaid(step.words, said), " ");
  }
  return all;
}

std::string precision_of(const DeviceFigure& measured) {
  const std::string precision = figures::param_of(measured.figure, "precision");
  return precision.empty() ? figures::param_of(measured.figure, "type") : precision;
}

// The best rate of each precision on each device, with the roof that it is held against.
std::optional<Chart> by_precision(const Family& family, const std::vector<Device>& devices) {
  std::vector<std::string> precisions;
  std::map<std::pair<std::string, const Device*>, const DeviceFigure*> best;
  for (const DeviceFigure* one : members_of(family)) {
    const std::optional<figures::Rate>& rate = one->figure.rate;
    const std::optional<Value> value = one->value(Quantity::flops);
    const std::string precision = precision_of(*one);
    if (!value || !rate || rate->quantity != "flops" || precision.empty()) continue;
    if (!tells_of_the_machine(one->figure)) continue;
    units::add_once(precisions, precision);
    const DeviceFigure*& slot = best[{precision, one->device}];
    if (slot == nullptr || value->location > slot->value(Quantity::flops)->location) slot = one;
  }
  if (precisions.size() < 2) return std::nullopt;
  RowPlot plot = empty_plot(Quantity::flops);
  plot.label_title = "precision";
  plot.titles.back() = "reached by";
  plot.from_zero = true;
  Members members;
  for (const std::string& precision : precisions) {
    for (const Device& device : devices) {
      const auto found = best.find({precision, &device});
      if (found != best.end()) members.push_back(found->second);
    }
  }
  const bool intervals = have_intervals(members);
  for (const DeviceFigure* one : members) {
    plot.rows.push_back(row_of(*one, precision_of(*one), Quantity::flops, intervals));
    plot.rows.back().cells.back() = one->figure.name;
  }
  const std::string pace = figures::pace_of(figures_of(members));
  const std::string words = "best rate of each precision" + (pace.empty() ? "" : " " + pace) + ", with its roof";
  return rows_chart({.name = family.name, .words = words}, members, Quantity::flops, plot, devices);
}

}  // namespace

std::optional<Chart> step_picture(const Device& device, std::span<const advice::AdviceResult> advice,
                                  std::span<const figures::Figure> figures) {
  const auto ranking =
      std::ranges::find_if(advice, [](const advice::AdviceResult& result) { return result.gains.in_step.has_value(); });
  if (ranking == advice.end()) return std::nullopt;
  for (const figures::Waterfall& waterfall : figures::waterfalls_of(figures)) {
    const advice::StepGain& step = *ranking->gains.in_step;
    if (step.step == advice::step_name(waterfall)) return waterfall_picture(waterfall, device, step.alone);
  }
  return std::nullopt;
}

// Whether any of its series has two points.
bool makes_a_line(const Members& members, const std::string& axis) {
  const std::vector<std::string> keys = figures::varying_keys(figures_of(members), axis);
  std::map<std::pair<std::string, std::size_t>, std::set<std::string>> places;
  for (const DeviceFigure* one : members)
    places[{figures::line_label(one->figure, keys), one->device->number}].insert(figures::param_of(one->figure, axis));
  return std::ranges::any_of(places, [](const auto& series) { return series.second.size() > 1; });
}

std::vector<Chart> charts_of(const Family& family, const std::vector<Device>& devices) {
  std::vector<Chart> lines, rows;
  std::map<Quantity, Members> few;
  std::vector<std::string> said;
  if (const std::optional<Chart> figure = by_precision(family, devices)) lines.push_back(*figure);
  for (const Operation& operation : family.operations) {
    Members left = with_time(operation);
    if (left.empty()) continue;
    if (std::vector<Chart> falls = waterfall_charts(operation, devices, said); !falls.empty()) {
      std::ranges::move(falls, std::back_inserter(rows));
      continue;
    }
    const std::vector<const figures::Figure*> all = figures_of(left);
    if (const std::optional<std::string> key = figures::ranked_key(all)) {
      for (const Facet& problem : parts_of(left, figures::problems_of(all, *key)))
        rows.push_back(ranking(operation.name, problem, devices));
      continue;
    }
    while (!left.empty()) {
      const auto [quantity, members] = take_known(left);
      const std::vector<const figures::Figure*> known = figures_of(members);
      if (const std::optional<std::string> axis = figures::axis_of(known)) {
        Members single;  // of parts that make no line
        const auto facets = figures::facets_of(known, *axis, most_labels(devices), kSeriesColours);
        for (const Facet& facet : parts_of(members, facets)) {
          if (makes_a_line(facet.members, *axis)) {
            std::ranges::move(line_charts(operation.name, facet, *axis, quantity, devices), std::back_inserter(lines));
          } else {
            single.insert(single.end(), facet.members.begin(), facet.members.end());
          }
        }
        if (!single.empty())
          rows.push_back(
              plain_rows({.name = operation.name, .words = title_of(quantity)}, single, quantity, devices, false));
      } else if (members.size() < kFew * devices.size()) {
        few[quantity].insert(few[quantity].end(), members.begin(), members.end());
      } else {
        rows.push_back(
            plain_rows({.name = operation.name, .words = title_of(quantity)}, members, quantity, devices, false));
      }
    }
  }
  for (const auto& [quantity, members] : few) {
    const std::string words = title_of(quantity) + ", operations with few benchmarks";
    rows.push_back(plain_rows({.name = family.name, .words = words}, members, quantity, devices, true));
  }
  lines.insert(lines.end(), rows.begin(), rows.end());
  return lines;
}

}  // namespace cupel::report::html
