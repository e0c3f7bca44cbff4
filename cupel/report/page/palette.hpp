// The colours of the page, as data, so that a test can compute their contrast. Everything else names them by variable.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace cupel::report::html {

inline constexpr std::size_t kSeriesColours = 10;

struct Palette {
  std::string_view page, panel, raised;  ///< backgrounds, each above the one before
  std::string_view ink, muted, accent;   ///< text on any of them
  std::string_view good, warn, bad;      ///< text on any of them, always beside a word that says the same
  std::string_view rule;                 ///< grid lines and borders: carries no meaning
  std::array<std::string_view, kSeriesColours> series;
};

extern const Palette kLight;
extern const Palette kDark;

/// Custom properties: "--page:#f6f7f9;--s0:#0b63b5;..."
std::string css_variables(const Palette& palette);

}  // namespace cupel::report::html
