#include <fmt/core.h>

#include <algorithm>

#include "cupel/report/page/escape.hpp"
#include "cupel/report/show/waterfall.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

// Pixels.
constexpr int kWidth = 720, kTop = 40, kRow = 24, kBar = 16, kLabels = 170, kTimes = 80;
constexpr std::size_t kLongestChange = 24;

std::string safe_text(const std::string& text, std::size_t longest) {
  return escape_html(units::shorten(units::visible(text), longest));
}

}  // namespace

std::string waterfall_picture(figures::Waterfall waterfall, const std::string& title) {
  std::erase_if(waterfall.rungs, [](const figures::Rung& rung) { return rung.with == nullptr; });
  double most_s = 0;
  for (const figures::Rung& rung : waterfall.rungs) most_s = std::max(most_s, rung.with->time->location_s);
  const int height = kTop + kRow * static_cast<int>(waterfall.rungs.size()) + 8;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "aria-label=\"{2}\">\n"
      "<style>text{{font:13px system-ui,sans-serif;fill:#6e7781}}.title{{font-weight:600}}rect{{fill:#2f81f7}}"
      ".first{{fill:#8b949e}}</style>\n"
      "<text class=\"title\" x=\"8\" y=\"22\">{2}</text>\n",
      kWidth, height, safe_text(title, 90));
  const std::vector<std::string> names = change_names(waterfall);
  int y = kTop;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const figures::Rung& rung = waterfall.rungs[i];
    const bool is_first = i == 0;
    const double time_s = rung.with->time->location_s;
    const double width = (kWidth - kLabels - kTimes) * time_s / most_s;
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>"
        "<rect{} x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"/>"
        "<text x=\"{:.1f}\" y=\"{}\">{}</text>\n",
        kLabels - 8, y + 13, safe_text((is_first ? "" : "+ ") + names[i], kLongestChange),
        is_first ? " class=\"first\"" : "", kLabels, y, width, kBar, kLabels + width + 6, y + 13,
        units::format(time_s, units::Unit::seconds));
    y += kRow;
  }
  return svg + "</svg>\n";
}

}  // namespace cupel::report
