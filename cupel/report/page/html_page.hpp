// The page around the sections: head, navigation, controls, styles and script, all in one text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cupel/report/page/page.hpp"

namespace cupel::report::html {

struct Section {
  std::string id;
  std::string title;
  std::string body;    ///< HTML
  std::string folded;  ///< beside the title, a name, where the body is folded away
};

/// Writes a page around these sections, of which there is at least one. devices: labels, for the switches. Nothing is
/// escaped yet but the bodies.
std::string page(const Page& page, const std::vector<std::string>& devices, const std::vector<Section>& sections);

/// page.css, widths.css and page.js beside this file, built in.
std::string_view style_text();
std::string_view widths_text();
std::string_view script_text();

}  // namespace cupel::report::html
