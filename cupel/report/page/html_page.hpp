// The page around the sections: head, navigation, controls, style and script, all in one text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cupel::report::html {

struct Section {
  std::string id;
  std::string title;
  std::string body;    ///< HTML
  std::string folded;  ///< beside the title, a name, where the body is folded away
};

/// made_by: the command, "cupel report". others: pages beside it, names and files. devices: labels, for the switches.
/// Nothing is escaped yet but the bodies. sections: at least one.
std::string page(const std::string& made_by, const std::string& title,
                 const std::vector<std::pair<std::string, std::string>>& others,
                 const std::vector<std::string>& devices, const std::vector<Section>& sections);

/// page.css and page.js beside this file, built in.
std::string_view style_text();
std::string_view script_text();

}  // namespace cupel::report::html
