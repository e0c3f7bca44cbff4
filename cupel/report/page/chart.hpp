// A chart: a drawing, and the words without which it says nothing.
#pragma once

#include <string>
#include <vector>

#include "cupel/report/page/table.hpp"

namespace cupel::report::html {

/// Everything here is HTML already.
struct Chart {
  std::string title;    ///< what it shows
  std::string body;     ///< the drawing and its legend
  std::string caption;  ///< how to read it: what is drawn, its interval, n, its limits
  bool wide = false;    ///< the whole width of the page, else half of it where there is room
};

/// id: unique in the page.
std::string html(const Chart& chart, const std::string& id);

/// How a table of text is marked on the page.
struct Marks {
  std::vector<std::size_t> devices;  ///< of each row; empty: of no device
  Badges badges;
};

/// A table of a terminal or of Markdown as one of the page, without the columns that are empty and without the headings
/// of groups. Escaped here.
std::string html(const Table& table, const Marks& marks = {});

/// A list; nothing is escaped yet.
std::string html_list(const std::vector<std::string>& lines);

/// Folded away, opened without scripts. summary: HTML.
std::string folded(const std::string& summary, const std::string& content);

}  // namespace cupel::report::html
