#include "cupel/report/html/side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

#include "cupel/report/page/palette.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report::html {
namespace {

// The rows of one label: one on each device, null where it has none.
struct Joined {
  std::string label;
  std::vector<const PlotRow*> on;

  const PlotRow& first() const {
    return **std::ranges::find_if(on, [](const PlotRow* row) { return row != nullptr; });
  }
};

PlotMark mark_of(const PlotRow& row) { return {row.device, row.value, row.low, row.high, row.limit, row.tip}; }

// A label that a device has twice makes two rows.
std::vector<Joined> joined_rows(const RowPlot& plot, std::size_t devices) {
  std::vector<Joined> all;
  for (const PlotRow& row : plot.rows) {
    const auto has_room = [&](const Joined& one) { return one.label == row.label && one.on[row.device] == nullptr; };
    const auto found = std::ranges::find_if(all, has_room);
    Joined& joined =
        found == all.end() ? all.emplace_back(Joined{row.label, std::vector<const PlotRow*>(devices)}) : *found;
    joined.on[row.device] = &row;
  }
  return all;
}

// Less than any other where nothing stands beside the first device's.
double joined_difference(const Joined& row) {
  double most = -1;
  for (const PlotRow* one : row.on) {
    if (one != nullptr && row.on.front() != nullptr && one != row.on.front())
      most = std::max(most, difference(mark_of(*row.on.front()), mark_of(*one)));
  }
  return most;
}

// A column of the joined plot: a cell of one device, the ratio of its value to the first's, or what all say.
struct Place {
  enum class Kind { own, ratio, said } kind;
  std::size_t cell = 0, device = 0;
};

std::vector<Place> places_of(const RowPlot& plot, std::size_t devices, LastColumn last) {
  std::vector<Place> places;
  for (std::size_t cell = 0; cell < plot.titles.size(); ++cell) {
    const std::string& title = plot.titles[cell];
    if (title == "interval" || title == "range" || title == "n") continue;
    if (title == kModeColumn || (cell + 1 == plot.titles.size() && last == LastColumn::is_words)) {
      places.push_back({Place::Kind::said, cell});
      continue;
    }
    for (std::size_t device = 0; device < devices; ++device) places.push_back({Place::Kind::own, cell, device});
    for (std::size_t device = 1; device < devices && cell == 0; ++device)
      places.push_back({Place::Kind::ratio, cell, device});
  }
  return places;
}

std::string title_of(const Place& place, const RowPlot& plot, const std::vector<Device>& devices) {
  if (place.kind == Place::Kind::ratio) return ratio_title(devices[place.device], devices);
  return plot.titles[place.cell] + (place.kind == Place::Kind::own ? " " + devices[place.device].name : "");
}

std::string cell_of(const Place& place, const Joined& row, const std::vector<Device>& devices) {
  const PlotRow* one = row.on[place.device];
  switch (place.kind) {
    case Place::Kind::own:
      return one == nullptr ? "" : one->cells.at(place.cell);
    case Place::Kind::ratio: {
      const PlotRow* reference = row.on.front();
      if (one == nullptr || reference == nullptr || !one->value || !reference->value || *reference->value == 0)
        return "";
      return units::format_significant(*one->value / *reference->value);
    }
    case Place::Kind::said:
      break;
  }
  std::vector<std::string> texts;
  for (const PlotRow* each : row.on) texts.push_back(each == nullptr ? "" : each->cells.at(place.cell));
  return text_of_each(texts, devices);
}

const ChartPoint* point_at(const ChartSeries& series, double x) {
  const auto found = std::ranges::find(series.points, x, &ChartPoint::x);
  return found == series.points.end() ? nullptr : &*found;
}

std::vector<std::string> parts_of_label(std::string_view label) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; (at = label.find(", ")) != label.npos; label.remove_prefix(at + 2))
    parts.emplace_back(label.substr(0, at));
  parts.emplace_back(label);
  return parts;
}

}  // namespace

std::string ratio_title(const Device& device, const std::vector<Device>& devices) {
  return device.name + " / " + devices.front().name;
}

std::size_t most_labels(const std::vector<Device>& devices) {
  constexpr std::size_t kFewest = 3;
  return devices.size() < 2 ? kSeriesColours : std::max(kFewest, kSeriesColours / devices.size());
}

RowPlot side_by_side(RowPlot plot, const std::vector<Device>& devices, Order order, LastColumn last) {
  if (devices.size() < 2) return plot;
  std::vector<Joined> rows = joined_rows(plot, devices.size());
  if (order == Order::differences_first) std::ranges::stable_sort(rows, std::greater(), joined_difference);
  const std::vector<Place> places = places_of(plot, devices.size(), last);
  RowPlot joined = plot;
  joined.rows.clear();
  joined.titles.clear();
  for (const Place& place : places) {
    if (place.kind == Place::Kind::own) joined.owners[joined.titles.size()] = place.device;
    joined.titles.push_back(title_of(place, plot, devices));
  }
  for (const Joined& row : rows) {
    PlotRow& made = joined.rows.emplace_back(row.first());
    made.remark.clear();
    made.cells.clear();
    for (const Place& place : places) made.cells.push_back(cell_of(place, row, devices));
    for (const PlotRow* one : row.on) {
      if (one != nullptr && one != &row.first()) made.beside.push_back(mark_of(*one));
    }
  }
  return joined;
}

std::string text_of_each(const std::vector<std::string>& texts, const std::vector<Device>& devices,
                         const char* between) {
  std::vector<std::string> said;
  for (const std::string& text : texts) {
    if (!text.empty()) units::add_once(said, text);
  }
  if (said.size() <= 1) return said.empty() ? "" : said.front();
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i].empty()) units::append(all, devices[i].name + ": " + texts[i], between);
  }
  return all;
}

std::string ratios_sentence(const LineChart& chart, const std::vector<Device>& devices) {
  std::string text;
  for (std::size_t device = 1; device < devices.size(); ++device) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const ChartSeries& series : chart.series) {
      if (series.device != device) continue;
      for (const ChartSeries& reference : chart.series) {
        if (reference.device != 0 || reference.label != series.label) continue;
        for (const ChartPoint& point : series.points) {
          const ChartPoint* other = point_at(reference, point.x);
          if (other == nullptr || other->y <= 0) continue;
          least = std::min(least, point.y / other->y);
          most = std::max(most, point.y / other->y);
        }
      }
    }
    if (most == 0) continue;
    const std::string range = units::range_text(units::format_significant(least), units::format_significant(most));
    units::append(text, ratio_title(devices[device], devices) + ": " + range, "; ");
  }
  return text.empty() ? "" : text + ".";
}

double difference(const PlotMark& a, const PlotMark& b) {
  if (!a.value || !b.value || *a.value <= 0 || *b.value <= 0) return 0;
  const bool meet =
      a.low.value_or(*a.value) <= b.high.value_or(*b.value) && b.low.value_or(*b.value) <= a.high.value_or(*a.value);
  return meet ? 0 : std::abs(std::log(*b.value / *a.value));
}

std::string take_common(std::vector<PlotRow>& rows) {
  std::vector<std::vector<std::string>> all;
  for (const PlotRow& row : rows) all.push_back(parts_of_label(row.label));
  std::vector<std::string> common;
  for (const std::string& part : all.empty() ? std::vector<std::string>{} : all.front()) {
    if (std::ranges::all_of(all, [&](const auto& parts) { return parts.size() > 1 && units::contains(parts, part); }))
      common.push_back(part);
  }
  const auto is_common = [&](const std::string& part) { return units::contains(common, part); };
  if (std::ranges::any_of(all, [&](const auto& parts) { return std::ranges::all_of(parts, is_common); })) return "";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::erase_if(all[i], is_common);
    rows[i].label = units::joined(all[i]);
  }
  return units::joined(common);
}

}  // namespace cupel::report::html
