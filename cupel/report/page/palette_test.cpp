#include "cupel/report/page/palette.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cupel::report::html {
namespace {

// WCAG 2.2, level AA: 1.4.3 for text, 1.4.11 for what a drawing is understood by.
constexpr double kText = 4.5, kGraphics = 3;

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

// Ratio of luminances of two "#rrggbb", 1 to 21: WCAG 2.2, "contrast ratio".
double contrast(std::string_view a, std::string_view b) {
  const double of_a = luminance(a), of_b = luminance(b);
  const double low = std::min(of_a, of_b), high = std::max(of_a, of_b);
  return (high + 0.05) / (low + 0.05);
}

TEST(Contrast, OfBlackOnWhiteIsTwentyOne) { EXPECT_NEAR(contrast("#000000", "#ffffff"), 21, 1e-12); }

TEST(Contrast, OfAKnownGreyOnWhiteIsThePublishedOne) {
  // The lightest grey that passes for text: 4.54 (WebAIM's checker).
  EXPECT_NEAR(contrast("#767676", "#ffffff"), 4.54, 0.005);
}

class Theme : public testing::TestWithParam<const Palette*> {
 protected:
  const Palette& palette() const { return *GetParam(); }
};

TEST_P(Theme, HasTextThatCanBeReadOnEveryBackground) {
  const Palette& p = palette();
  for (const std::string_view text : {p.ink, p.muted, p.accent, p.good, p.warn, p.bad}) {
    for (const std::string_view background : {p.page, p.panel, p.raised}) {
      EXPECT_GE(contrast(text, background), kText) << text << " on " << background;
    }
  }
}

TEST_P(Theme, HasSeriesThatStandOutFromThePanelAndCanBeReadAsLabels) {
  for (const std::string_view colour : palette().series) {
    EXPECT_GE(contrast(colour, palette().panel), kText) << colour;
    EXPECT_GE(contrast(colour, palette().raised), kGraphics) << colour;
  }
}

TEST_P(Theme, HasATooltipThatIsItsOwnReverse) { EXPECT_GE(contrast(palette().page, palette().ink), kText); }

INSTANTIATE_TEST_SUITE_P(Both, Theme, testing::Values(&kLight, &kDark),
                         [](const auto& tested) { return tested.index == 0 ? "Light" : "Dark"; });

TEST(CssVariables, NameEveryColour) {
  const std::string css = css_variables(kLight);

  EXPECT_NE(css.find("--ink:#14181f;"), std::string::npos);
  EXPECT_NE(css.find("--s7:"), std::string::npos);
}

}  // namespace
}  // namespace cupel::report::html
