#include "cupel/report/html/palette.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cupel::report::html {
namespace {

// WCAG 2.2, level AA: 1.4.3 for text, 1.4.11 for what a drawing is understood by.
constexpr double kText = 4.5, kGraphics = 3;

TEST(Contrast, OfBlackOnWhiteIsTwentyOne) { EXPECT_NEAR(contrast("#000000", "#ffffff"), 21, 1e-12); }

TEST(Contrast, OfAKnownGreyOnWhiteIsThePublishedOne) {
  // The lightest grey that passes for text: 4.54 (WebAIM's checker).
  EXPECT_NEAR(contrast("#767676", "#ffffff"), 4.54, 0.005);
}

TEST(Contrast, DoesNotDependOnTheOrder) { EXPECT_EQ(contrast("#0b63b5", "#ffffff"), contrast("#ffffff", "#0b63b5")); }

TEST(Contrast, RefusesWhatIsNoColour) {
  EXPECT_THROW(contrast("#fff", "#ffffff"), std::invalid_argument);
  EXPECT_THROW(contrast("#gg0000", "#ffffff"), std::invalid_argument);
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
