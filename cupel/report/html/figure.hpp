// A figure: a drawing, and the words without which it says nothing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cupel/report/text/table.hpp"

namespace cupel::report::html {

/// Everything here is HTML already.
struct Figure {
  std::string title;    ///< what it shows
  std::string body;     ///< the drawing and its legend
  std::string caption;  ///< how to read it: what is drawn, its interval, n, its limits
  bool wide = false;    ///< the whole width of the page, else half of it where there is room
};

/// id: unique in the page.
std::string html(const Figure& figure, const std::string& id);

/// A table of text with a head; nothing is escaped yet. Columns named in `numeric` are right-aligned.
struct TextTable {
  std::vector<std::string> titles;
  std::vector<bool> numeric;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::size_t> devices;  ///< of each row; empty: of no device
  /// Cells that are marked, by their text, and how: "good", "warn" or "bad".
  std::map<std::string, std::string> badges;
};

std::string html(const TextTable& table);

/// A table of a terminal or of Markdown as one of the page, without the columns that are empty.
TextTable text_table(const Table& table);

/// A list; nothing is escaped yet.
std::string html_list(const std::vector<std::string>& lines);

/// Folded away, opened without scripts. summary: HTML.
std::string folded(const std::string& summary, const std::string& content);

}  // namespace cupel::report::html
