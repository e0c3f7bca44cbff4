// A table of text: aligned columns for a terminal, or Markdown.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace cupel::report {

enum class Align { left, right };

/// Where a column's cells go if the table is too wide: to a line of their own above or below the others of the row, or
/// into several lines of their column; prose as long as that has room for some words, else below.
enum class Fold { none, above, below, wrapped, prose };

/// Cells by their text, and how they are marked: "good", "warn" or "bad".
using Badges = std::map<std::string, std::string>;

struct Column {
  std::string title;
  Align align = Align::left;
  Fold fold = Fold::none;
  int spare = 0;  ///< of a table that is too wide those with the greatest are left out first, those with 0 never
};

/// A column of words.
inline Column left(const std::string& title, Fold fold = Fold::none, int spare = 0) {
  return {title, Align::left, fold, spare};
}

/// A column of numbers.
inline Column right(const std::string& title, int spare = 0) { return {title, Align::right, Fold::none, spare}; }

class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// A heading for the rows that follow, with a remark beside it that may be empty.
  void group(const std::string& title, const std::string& remark = "");

  /// As many cells as columns, else throws std::invalid_argument.
  void row(std::vector<std::string> cells);

  bool empty() const { return lines_.empty(); }

  const std::vector<Column>& columns() const { return columns_; }

  /// The cells of each row, without the headings of groups; as long as the table is there and gets no more rows.
  std::vector<std::span<const std::string>> rows() const;

  /// Nothing gives way.
  static constexpr std::size_t kAnyWidth = std::numeric_limits<std::size_t>::max();

  /// Two spaces between columns, rows of a group indented by two, no space at the end of a line. A column whose cells
  /// are all empty is left out. In `width` columns as far as the table has what may give way: first what is wrapped,
  /// then what goes below, then what may be left out; where that does not do, what goes above, and then what may be
  /// left out, which a last line names; and at last all cells in several lines. A group's remark that does not fit
  /// stands below its title. badges: cells to be coloured.
  std::string text(std::size_t width = kAnyWidth, const Badges& badges = {}) const;

  /// Titles of the columns that text(width) leaves out though they are not empty, each once.
  std::vector<std::string> left_out(std::size_t width) const;

  /// A pipe table, without empty columns too; a group's title is a row of its own, in bold.
  std::string markdown() const;

 private:
  struct Line {
    bool is_group = false;
    std::vector<std::string> cells;  ///< of a group: title and remark
  };

  struct Layout {
    std::vector<std::size_t> above, beside, below, out;  ///< columns, in order
  };

  bool column_is_empty(std::size_t column) const;
  std::size_t width_of(std::size_t column) const;
  std::size_t width_of(const Layout& layout, const std::vector<std::size_t>& widths) const;
  std::size_t least_width_of(std::size_t column) const;
  bool fits(const Layout& layout, std::size_t width) const;
  void move(Layout& layout, std::vector<std::size_t>& to, const std::function<bool(const Column&)>& which) const;
  void leave_out(Layout& layout, std::size_t width) const;
  Layout layout(std::size_t width) const;
  std::vector<std::size_t> widths_in(const Layout& layout, std::size_t width) const;
  std::string rows_text(const Line& line, const Layout& layout, const std::vector<std::size_t>& widths,
                        const Badges& badges) const;

  std::vector<Column> columns_;
  std::vector<Line> lines_;
  bool is_grouped_ = false;
};

}  // namespace cupel::report
