#include "cupel/report/html/palette.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace cupel::report::html {
namespace {

// WCAG 2.2, "relative luminance", of one channel.
double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double channel(std::string_view colour, std::size_t at) {
  int value = 0;
  const char* first = colour.data() + at;
  const auto [end, error] = std::from_chars(first, first + 2, value, 16);
  if (error != std::errc{} || end != first + 2) throw std::invalid_argument("not a colour: " + std::string(colour));
  return value / 255.0;
}

double luminance(std::string_view colour) {
  if (colour.size() != 7 || colour[0] != '#') throw std::invalid_argument("not a colour: " + std::string(colour));
  return 0.2126 * linear(channel(colour, 1)) + 0.7152 * linear(channel(colour, 3)) +
         0.0722 * linear(channel(colour, 5));
}

}  // namespace

const Palette kLight{"#f5f6f8",
                     "#ffffff",
                     "#edf0f4",
                     "#14181f",
                     "#4d5664",
                     "#0b57a8",
                     "#17693a",
                     "#7d5200",
                     "#a92822",
                     "#d9dee6",
                     {"#0b63b5", "#c04a00", "#157a4f", "#8b3fa8", "#a06a00", "#b3245e", "#2f7f8f", "#5b6472"}};

const Palette kDark{"#0f1318",
                    "#171c23",
                    "#212832",
                    "#e7ebf0",
                    "#a3aebc",
                    "#7ab7ff",
                    "#6fd08c",
                    "#e5b75c",
                    "#ff8f85",
                    "#333d4a",
                    {"#62a8f2", "#f2915a", "#57c28f", "#c795e6", "#dcb04a", "#f2799f", "#5cc4d6", "#a7b1be"}};

std::string css_variables(const Palette& palette) {
  std::string css = fmt::format(
      "--page:{};--panel:{};--raised:{};--ink:{};--muted:{};--accent:{};--good:{};--warn:{};--bad:{};--rule:{};",
      palette.page, palette.panel, palette.raised, palette.ink, palette.muted, palette.accent, palette.good,
      palette.warn, palette.bad, palette.rule);
  for (std::size_t i = 0; i < palette.series.size(); ++i) css += fmt::format("--s{}:{};", i, palette.series[i]);
  return css;
}

double contrast(std::string_view a, std::string_view b) {
  const double of_a = luminance(a), of_b = luminance(b);
  const double low = std::min(of_a, of_b), high = std::max(of_a, of_b);
  return (high + 0.05) / (low + 0.05);
}

}  // namespace cupel::report::html
