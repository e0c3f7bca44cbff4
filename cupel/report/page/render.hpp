// The renderers of a page: one a format. All text is escaped here.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "cupel/report/page/format.hpp"
#include "cupel/report/page/page.hpp"

namespace cupel::report {

/// Nothing gives way.
inline constexpr std::size_t kAnyWidth = std::numeric_limits<std::size_t>::max();

/// A table has the form that stands best in so many columns, in a wider terminal, too: who makes the window wider finds
/// the same rows, headings and places of names again.
inline constexpr std::size_t kFormColumns = 80;

struct Terminal {
  std::size_t columns = kAnyWidth;
  bool colour = false;  ///< of what has a badge
};

/// Ends with a newline, as all of these.
std::string as_text(const Page& page, const Terminal& terminal = {});

/// Two spaces between columns, rows of a group indented by two, no space at the end of a line. In so many columns as
/// far as the table has what may give way: first what is wrapped, then what goes below, then what may be left out;
/// where that does not do, what goes above, and then what may be left out, which a last line names; and at last all
/// cells in several lines. In more than kFormColumns, but for kAnyWidth, what goes below or above is what does in
/// kFormColumns, and less is left out. A group's remark that does not fit stands below its title.
std::string as_text(const Table& table, const Terminal& terminal = {});

/// Titles of the columns that as_text() leaves out though they are not empty, each once.
std::vector<std::string> left_out(const Table& table, std::size_t columns);

/// Lines of the rows and titles of a table with keys; 0 where there is no room for any column beside them.
std::size_t height_of(const Table& table, std::size_t columns);

/// Tables as pipe tables, a group's title as a row of its own, in bold; details for what is folded. longest: bytes that
/// it may have; rows of tables that would go beyond are counted in place of being shown. What follows a table is given
/// a fair part of that.
std::string as_markdown(const Page& page, std::size_t longest = kAnyWidth);

/// A whole page that asks for nothing, and is complete without scripts. devices: what its switches are of.
std::string as_html(const Page& page, const std::vector<std::string>& devices = {});

/// Blocks of a page that has sections already.
std::string as_html(const Blocks& blocks);

/// Text, Markdown or HTML.
std::string rendered(const Page& page, Format format, const Terminal& terminal = {});

}  // namespace cupel::report
