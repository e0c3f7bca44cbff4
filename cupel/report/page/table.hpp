// A table as data: columns that say what gives way where there is no room, rows in groups, and the words around it.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/record/names.hpp"

namespace cupel::report {

/// How a verdict is marked: by a colour, beside the word that says the same.
enum class Badge { good, warn, bad, quiet };
constexpr auto names_of(Badge) { return std::array{"good", "warn", "bad", "quiet"}; }
using record::to_string;

/// Verdicts by their words.
using Badges = std::map<std::string, Badge>;

enum class Align { left, right };

/// Where a column's cells go if the table is too wide: to a line of their own above or below the others of the row, or
/// into several lines of their column; below_or_once: as below, but at the end where all of several rows have the same;
/// prose as long as that has room for some words, else below. always_below: however narrow the table may be, so that
/// its form is the same with all results.
enum class Fold { none, above, below, below_or_once, wrapped, prose, always_below };

struct Column {
  std::string title;
  Align align = Align::left;
  Fold fold = Fold::none;
  int spare = 0;         ///< of a table that is too wide those with the greatest are left out first, those with 0 never
  bool is_code = false;  ///< names as they are typed
  std::optional<std::size_t> device = {};  ///< whose it is, on a page of several
  bool has_verdicts = false;               ///< among other words: in a terminal these alone are coloured
};

/// A column of words.
inline Column left(const std::string& title, Fold fold = Fold::none, int spare = 0) {
  return {title, Align::left, fold, spare};
}

/// A column in which verdicts stand among other words.
inline Column verdicts(const std::string& title, Fold fold = Fold::none, int spare = 0) {
  Column column = left(title, fold, spare);
  column.has_verdicts = true;
  return column;
}

/// A column of numbers.
inline Column right(const std::string& title, int spare = 0) { return {title, Align::right, Fold::none, spare}; }

struct Table {
  struct Line {
    bool is_group = false;
    std::vector<std::string> cells = {};     ///< of a group: title and remark
    std::optional<std::size_t> device = {};  ///< whose row it is, on a page of several
    std::string id = {};                     ///< unique in the page, for a link; may be empty
    std::string name = {};                   ///< in full, where the cells have a part: a page's filter finds it
  };

  explicit Table(std::vector<Column> all) : columns(std::move(all)) {}

  /// A heading for the rows that follow, with a remark beside it that may be empty.
  void group(const std::string& title, const std::string& remark = "");

  /// As many cells as columns, else throws std::invalid_argument.
  void row(std::vector<std::string> cells, std::optional<std::size_t> device = {}, std::string id = {});

  bool empty() const { return lines.empty(); }
  bool is_grouped() const;

  /// The cells of each row, without the headings of groups; as long as the table is there and gets no more rows.
  std::vector<std::span<const std::string>> rows() const;

  /// The columns of which some cell has a text: the others are shown nowhere.
  std::vector<std::size_t> filled_columns() const;

  std::vector<Column> columns;
  std::vector<Line> lines = {};
  std::string title = {};               ///< a line right above it
  std::string remark = {};              ///< beside the title
  std::string instead = {};             ///< what is said where it has no row
  std::vector<std::string> notes = {};  ///< right below it
  Badges badges = {};                   ///< of whole cells, and of words in a column that has verdicts
  std::map<std::string, std::string> links =
      {};  ///< from a cell's text to where it leads: "#id", or a file beside the page
  /// Where this is not 0, the columns behind so many do not give way: those that do not fit beside each other follow
  /// below, these repeated, without the rows that have nothing there.
  std::size_t keys = 0;
};

}  // namespace cupel::report
