#include "cupel/report/page/line_chart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/palette.hpp"
#include "cupel/report/page/scale.hpp"

namespace cupel::report::html {
namespace {

// The drawing's own units; the page scales it to the width there is.
constexpr double kWidth = 560, kHeight = 310;
constexpr double kLeft = 84, kRight = 14, kTop = 26, kBottom = 46;
constexpr double kDigitWidth = 7;  // of 12 units of text, generously
// Radius of a point; a line that runs closer to another one than kHidden cannot be told from it.
constexpr double kMark = 3.5, kHidden = 2.5;
constexpr std::size_t kWidest = 2;
// Devices are drawn beside each other, so that marks of the same value are seen: so far apart, all within kMostApart.
constexpr double kApart = 5, kMostApart = 12;

std::vector<double> all_x(const LineChart& chart) {
  std::set<double> values(chart.beside_x.begin(), chart.beside_x.end());
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) values.insert(point.x);
  }
  return {values.begin(), values.end()};
}

std::vector<double> all_y(const LineChart& chart) {
  std::vector<double> values = chart.beside_y;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      values.push_back(point.y);
      if (point.low && *point.low > 0) values.push_back(*point.low);
      if (point.high) values.push_back(*point.high);
    }
  }
  for (const ChartGuide& guide : chart.guides) values.push_back(guide.y);
  return values;
}

Scale x_scale(const std::vector<double>& values) {
  const double low = values.empty() ? 0 : values.front(), high = values.empty() ? 1 : values.back();
  const double start = kLeft + 14, end = kWidth - kRight - 14;
  if (!(low < high)) return {Scale::Kind::linear, low - 1, low + 1, start, end};
  const bool is_logarithmic = low > 0 && high / low >= 8;
  return {is_logarithmic ? Scale::Kind::logarithmic : Scale::Kind::linear, low, high, start, end};
}

// Both ways to draw y; the first is shown.
std::vector<Scale> y_scales(const LineChart& chart) {
  const std::vector<double> values = all_y(chart);
  const double bottom = kHeight - kBottom;
  const Scale linear = chart.y_near ? scale_near(values, bottom, kTop) : scale_from_zero(values, bottom, kTop);
  const Scale logarithmic = scale_around(values, bottom, kTop);
  if (chart.shaded || span_far(values)) return {logarithmic, linear};
  return {linear, logarithmic};
}

const char* name_of(const Scale& scale) { return scale.kind() == Scale::Kind::linear ? "linear" : "log"; }

std::string horizontal(double y, const char* attributes) {
  return fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" {}/>", coordinate(kLeft),
                     coordinate(kWidth - kRight), coordinate(y), coordinate(y), attributes);
}

std::string y_axis(const LineChart& chart, const Scale& scale, bool shown) {
  std::string out = fmt::format("<g class=\"axis y {}{}\">", name_of(scale), shown ? "" : " off");
  for (const double value : round_values(scale, 6, chart.y_round)) {
    const double y = scale.at(value);
    out += horizontal(y, "class=\"grid\"");
    out += fmt::format("<text x=\"{}\" y=\"{}\" class=\"end\">{}</text>", coordinate(kLeft - 8), coordinate(y + 4),
                       safe(value == 0 ? "0" : chart.y_label(value)));
  }
  return out + "</g>";
}

bool have_room(const std::vector<std::string>& labels, const std::vector<double>& places, std::size_t every) {
  double free_from = 0;
  for (std::size_t i = 0; i < labels.size(); i += every) {
    const double half = static_cast<double>(labels[i].size()) * kDigitWidth / 2;
    if (places[i] - half < free_from) return false;
    free_from = places[i] + half + 4;
  }
  return true;
}

// Ticks are at sizes that were measured; every one is labelled, or every second and so on if that has no room.
std::string x_axis(const LineChart& chart, const Scale& scale, const std::vector<double>& values) {
  const double bottom = kHeight - kBottom;
  std::vector<std::string> labels;
  std::vector<double> places;
  for (const double value : values) {
    labels.push_back(chart.x_label(value));
    places.push_back(scale.at(value));
  }
  std::size_t every = 1;
  while (every < values.size() && !have_room(labels, places, every)) ++every;
  std::string out = "<g class=\"axis x\">";
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = places[i];
    out += fmt::format("<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" class=\"tick\"/>", coordinate(x),
                       coordinate(bottom), coordinate(bottom + 4));
    if (i % every != 0) continue;
    out += fmt::format("<text x=\"{}\" y=\"{}\" class=\"middle\">{}</text>", coordinate(x), coordinate(bottom + 18),
                       safe(labels[i]));
  }
  out += fmt::format("<text x=\"{}\" y=\"{}\" class=\"middle title\">{}</text>",
                     coordinate((kLeft + kWidth - kRight) / 2), coordinate(kHeight - 8), safe(chart.x_title, 80));
  return out + "</g>";
}

std::string shaded(const LineChart& chart, const Scale& y) {
  if (!chart.shaded) return "";
  const double top = y.at(chart.shaded->second), bottom = y.at(chart.shaded->first);
  std::string out =
      fmt::format("<rect class=\"shaded\" data-v=\"{} {}\" x=\"{}\" width=\"{}\" y=\"{}\" height=\"{}\"/>",
                  plain(chart.shaded->first), plain(chart.shaded->second), coordinate(kLeft),
                  coordinate(kWidth - kRight - kLeft), coordinate(top), coordinate(bottom - top));
  return out;
}

std::string classes_of(const ChartGuide& guide) {
  std::string classes = "guide";
  if (guide.device) classes += fmt::format(" d{}", *guide.device);
  if (guide.colour) classes += fmt::format(" c{}", *guide.colour % kSeriesColours);
  return classes;
}

std::string guides(const LineChart& chart, const Scale& scale) {
  std::string out;
  for (const ChartGuide& guide : chart.guides) {
    out += fmt::format("<g class=\"{}\" data-v=\"{}\">{}</g>", classes_of(guide), plain(guide.y),
                       horizontal(scale.at(guide.y), ""));
  }
  return out;
}

// A moment has the colour of its place in the list, the first after the series' usual one.
std::string moment(std::size_t i, const std::string& line) {
  return fmt::format("<g class=\"moment c{}\">{}</g>", (i + 1) % kSeriesColours, line);
}

std::string moments(const LineChart& chart, const Scale& x) {
  std::string out;
  for (std::size_t i = 0; i < chart.moments.size(); ++i) {
    const std::string at = coordinate(x.at(chart.moments[i].x));
    out += moment(i, fmt::format("<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\"/>", at, coordinate(kTop),
                                 coordinate(kHeight - kBottom)));
  }
  return out;
}

// Where points are drawn: the scale of x, and how far beside it those of a device are.
struct Places {
  Scale scale;
  std::vector<std::size_t> devices;

  double at(double x, std::size_t device) const {
    const double last = static_cast<double>(devices.size()) - 1;
    const auto place = static_cast<double>(std::ranges::find(devices, device) - devices.begin());
    const double step = last > 0 ? std::min(kApart, kMostApart / last) : 0;
    return scale.at(x) + step * (place - last / 2);
  }
};

std::vector<std::size_t> devices_of(const LineChart& chart) {
  std::set<std::size_t> devices;
  for (const ChartSeries& series : chart.series) devices.insert(series.device);
  return {devices.begin(), devices.end()};
}

std::string path_of(const ChartSeries& series, const Places& x, const Scale& y) {
  std::string path;
  for (const ChartPoint& point : series.points) {
    path += fmt::format("{}{} {}", path.empty() ? "M" : "L", coordinate(x.at(point.x, series.device)),
                        coordinate(y.at(point.y)));
  }
  return path;
}

// Along the upper ends and back along the lower ones.
std::string band_of(const ChartSeries& series, const Places& x, const Scale& y) {
  std::string path;
  for (const ChartPoint& point : series.points) {
    path += fmt::format("{}{} {}", path.empty() ? "M" : "L", coordinate(x.at(point.x, series.device)),
                        coordinate(y.at(point.high.value_or(point.y))));
  }
  for (auto point = series.points.rbegin(); point != series.points.rend(); ++point) {
    path += fmt::format("L{} {}", coordinate(x.at(point->x, series.device)),
                        coordinate(y.at(point->low.value_or(point->y))));
  }
  return path + "Z";
}

std::string whisker(const ChartPoint& point, double x, const Scale& y) {
  if (!point.low || !point.high) return "";
  return fmt::format("<line class=\"whisker\" x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\"/>", coordinate(x),
                     coordinate(y.at(*point.low)), coordinate(y.at(*point.high)));
}

// Whether `later`, which is drawn over it, hides the series: nearly all points of it in the same places.
bool hides(const ChartSeries& later, const ChartSeries& series, const Scale& y) {
  std::size_t hidden = 0;
  for (const ChartPoint& point : series.points) {
    const auto over = std::ranges::find(later.points, point.x, &ChartPoint::x);
    if (over != later.points.end() && std::abs(y.at(over->y) - y.at(point.y)) < kHidden) ++hidden;
  }
  return hidden > 0 && 5 * hidden >= 4 * series.points.size();
}

// Round, a diamond or a square about the origin.
std::string shape_of(std::size_t mark, double radius) {
  const std::string r = coordinate(mark == 1 ? radius * 1.5 : radius);
  if (mark == 0) return fmt::format("<circle r=\"{}\"", r);
  if (mark == 1) return fmt::format("<path class=\"mark\" d=\"M0 -{0}L{0} 0L0 {0}L-{0} 0Z\"", r);
  return fmt::format("<path class=\"mark\" d=\"M-{0} -{0}H{0}V{0}H-{0}Z\"", r);
}

std::string placed(const ChartPoint& point, double x, double y, double radius) {
  const std::string shape = shape_of(point.mark, radius), at_x = coordinate(x), at_y = coordinate(y);
  return shape + (point.mark == 0 ? fmt::format(" cx=\"{}\" cy=\"{}\"", at_x, at_y)
                                  : fmt::format(" transform=\"translate({} {})\"", at_x, at_y));
}

// hiders: how many hide it. Then it is drawn wider, so that it can be seen on either side of them.
std::string drawn(const ChartSeries& series, const Places& x, const Scale& y, std::size_t hiders) {
  std::string out = fmt::format("<g class=\"series c{} d{}{}\">", series.colour % kSeriesColours, series.device,
                                hiders > 0 ? " under" : "");
  if (series.points.size() > 1) {
    const std::string path = path_of(series, x, y);
    out += fmt::format("<path class=\"band\" d=\"{}\"/>", band_of(series, x, y));
    // Its edges are seen where dashes run over a line of the same colour.
    if (series.device > 0) out += fmt::format("<path class=\"line edge\" d=\"{}\"/>", path);
    out += fmt::format("<path class=\"line\" d=\"{}\"/>", path);
  }
  for (const ChartPoint& point : series.points) {
    const double at = x.at(point.x, series.device);
    out += whisker(point, at, y);
    const double radius = kMark + 2 * static_cast<double>(std::min(hiders, kWidest));
    out += placed(point, at, y.at(point.y), radius) +
           fmt::format(" data-v=\"{} {} {} {}\"><title>{}</title>{}", plain(point.y),
                       plain(point.low.value_or(point.y)), plain(point.high.value_or(point.y)), plain(point.x),
                       safe_lines(point.tip), point.mark == 0 ? "</circle>" : "</path>");
  }
  return out + "</g>";
}

// A line of the legend; inside: drawn in the box from -15 to 15.
std::string entry(const std::string& inside, const std::string& name) {
  return "<li><svg class=\"swatch\" viewBox=\"-15 -5 30 10\" aria-hidden=\"true\">" + inside + "</svg>" + safe(name) +
         "</li>";
}

std::string line_entry(const std::string& classes, const std::string& name) {
  return entry("<g class=\"series " + classes + "\"><path class=\"line\" d=\"M-14 0L14 0\"/><circle r=\"3.5\"/></g>",
               name);
}

}  // namespace

LineChart of_device(const LineChart& chart, std::size_t device) {
  LineChart part = chart;
  std::erase_if(part.series, [=](const ChartSeries& one) { return one.device != device; });
  std::erase_if(part.guides, [=](const ChartGuide& one) { return one.device && *one.device != device; });
  part.beside_x = all_x(chart);
  part.beside_y = all_y(chart);
  return part;
}

std::string svg(const LineChart& chart) {
  const std::vector<double> xs = all_x(chart);
  const Scale x = x_scale(xs);
  const std::vector<Scale> both = y_scales(chart);
  const Scale& y = both.front();
  std::string out = fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" data-scale=\"{}\" data-span=\"{} {}\" "
      "data-x=\"{} {}\"",
      coordinate(kWidth), coordinate(kHeight), safe(chart.description, 400), name_of(y), coordinate(kHeight - kBottom),
      coordinate(kTop), coordinate(kLeft), coordinate(kRight));
  for (const Scale& scale : both) {
    out += fmt::format(" data-{}=\"{} {}\"", name_of(scale), plain(scale.low()), plain(scale.high()));
  }
  out += ">" + shaded(chart, y);
  for (const Scale& scale : both) out += y_axis(chart, scale, &scale == &y);
  out += x_axis(chart, x, xs);
  out += fmt::format("<text x=\"{}\" y=\"12\" class=\"title\">{}</text>", coordinate(2), safe(chart.y_title, 80));
  out += horizontal(kHeight - kBottom, "class=\"base\"");
  for (auto series = chart.series.begin(); series != chart.series.end(); ++series) {
    const auto hiders = std::count_if(series + 1, chart.series.end(),
                                      [&](const ChartSeries& later) { return hides(later, *series, y); });
    out += drawn(*series, {x, devices_of(chart)}, y, static_cast<std::size_t>(hiders));
  }
  out += guides(chart, y) + moments(chart, x);
  return out + "</svg>\n";
}

std::string legend(const LineChart& chart, const std::vector<std::string>& devices) {
  std::string out;
  std::set<std::string> seen;
  std::set<std::size_t> seen_devices;
  for (const ChartSeries& series : chart.series) {
    seen_devices.insert(series.device);
    if (series.label.empty() || !seen.insert(series.label).second) continue;
    out += line_entry(fmt::format("c{}", series.colour % kSeriesColours), series.label);
  }
  if (devices.size() > 1) {
    for (const std::size_t device : seen_devices) {
      const std::string colour = seen.empty() ? fmt::format("c{} ", device % kSeriesColours) : "";
      out += line_entry(fmt::format("{}d{}", colour, device), devices[device]);
    }
  }
  for (std::size_t mark = 0; mark < chart.marks.size() && chart.marks.size() > 1; ++mark)
    out += entry("<g class=\"series\">" + shape_of(mark, kMark) + "/></g>", chart.marks[mark]);
  for (const ChartGuide& guide : chart.guides)
    out += entry("<g class=\"" + classes_of(guide) + "\"><line x1=\"-14\" x2=\"14\"/></g>", guide.label);
  for (std::size_t i = 0; i < chart.moments.size(); ++i)
    out += entry(moment(i, "<line x1=\"-14\" x2=\"14\"/>"), chart.moments[i].label);
  return out.empty() ? "" : "<ul class=\"legend\">" + out + "</ul>\n";
}

}  // namespace cupel::report::html
