// A table of text: aligned columns for a terminal, or Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cupel::report {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// A heading for the rows that follow, with a remark beside it that may be empty.
  void group(std::string title, std::string remark = "");

  /// As many cells as columns, else throws std::invalid_argument.
  void row(std::vector<std::string> cells);

  bool empty() const { return lines_.empty(); }

  /// Two spaces between columns, rows of a group indented by two, no space at the end of a line. A column whose cells
  /// are all empty is left out. A group's remark that does not fit into `width` columns stands below its title.
  std::string text(std::size_t width = 1000) const;

  /// A pipe table, without empty columns too; a group's title is a row of its own, in bold.
  std::string markdown() const;

 private:
  struct Line {
    bool is_group = false;
    std::vector<std::string> cells;  ///< of a group: title and remark
  };

  bool column_is_empty(std::size_t column) const;

  std::vector<Column> columns_;
  std::vector<Line> lines_;
};

/// Columns that a terminal needs for UTF-8 text, one for each code point.
std::size_t display_width(const std::string& text);

/// Lines of at most so many columns, broken at spaces, the further ones indented.
std::string wrap(const std::string& line, std::size_t columns);

}  // namespace cupel::report
