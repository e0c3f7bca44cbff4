#include "cupel/report/page/palette.hpp"

#include <fmt/core.h>

namespace cupel::report::html {

const Palette kLight{
    "#f5f6f8",
    "#ffffff",
    "#edf0f4",
    "#14181f",
    "#4d5664",
    "#0b57a8",
    "#17693a",
    "#7d5200",
    "#a92822",
    "#d9dee6",
    {"#0b63b5", "#c04a00", "#157a4f", "#8b3fa8", "#a06a00", "#b3245e", "#2f7f8f", "#5b6472", "#5c7a00", "#7a4a2b"}};

const Palette kDark{
    "#0f1318",
    "#171c23",
    "#212832",
    "#e7ebf0",
    "#a3aebc",
    "#7ab7ff",
    "#6fd08c",
    "#e5b75c",
    "#ff8f85",
    "#333d4a",
    {"#62a8f2", "#f2915a", "#57c28f", "#c795e6", "#dcb04a", "#f2799f", "#5cc4d6", "#a7b1be", "#b5d15c", "#d0a58c"}};

std::string css_variables(const Palette& palette) {
  std::string css = fmt::format(
      "--page:{};--panel:{};--raised:{};--ink:{};--muted:{};--accent:{};--good:{};--warn:{};--bad:{};--rule:{};",
      palette.page, palette.panel, palette.raised, palette.ink, palette.muted, palette.accent, palette.good,
      palette.warn, palette.bad, palette.rule);
  for (std::size_t i = 0; i < palette.series.size(); ++i) css += fmt::format("--s{}:{};", i, palette.series[i]);
  return css;
}

}  // namespace cupel::report::html
