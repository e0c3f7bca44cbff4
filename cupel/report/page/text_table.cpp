// Tables for a terminal.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

#include "cupel/report/page/render.hpp"
#include "cupel/report/page/verdicts.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::report {
namespace {

constexpr std::size_t kRowIndent = 2;  // of a group's rows, and of what stands below a name of its own line
constexpr std::size_t kColumnGap = 2;  // between columns
constexpr std::size_t kNoteIndent = 4, kNameHang = 8, kRemarkIndent = 8;
constexpr std::size_t kLeastWrapped = 6, kLongestWord = 24;  // of a column that is wrapped; longer words are broken
constexpr std::size_t kLeastProse = 28;

bool goes_below(const Column& column) {
  return column.fold == Fold::below || column.fold == Fold::below_or_once || column.fold == Fold::prose;
}

bool is_wrapped(const Column& column) { return column.fold == Fold::wrapped || column.fold == Fold::prose; }

// In lines of that width, the first behind `indent`, the others further in by `hang`.
std::string indented(const std::string& text, std::size_t indent, std::size_t hang, std::size_t width) {
  if (indent + units::display_width(text) <= width) return std::string(indent, ' ') + text + "\n";
  std::string lines;
  for (const std::string& line : units::wrapped(text, width - std::min(width, indent + hang))) {
    lines += std::string(indent + (lines.empty() ? 0 : hang), ' ') + line + "\n";
  }
  return lines;
}
constexpr std::size_t kStackIndent = 2;  // of a table with keys

std::string coloured(const std::string& aligned, const std::string& cell, const Column& column, const Badges& badges) {
  if (column.has_verdicts) return with_verdicts(aligned, badges);
  const auto badge = badges.find(cell);
  const std::size_t begin = aligned.find(cell);
  if (badge == badges.end() || begin == aligned.npos) return aligned;
  return aligned.substr(0, begin) + in_colour(cell, badge->second) + aligned.substr(begin + cell.size());
}

// A table in so many columns of a terminal.
class TextTable {
 public:
  TextTable(const Table& table, std::size_t width)
      : columns_(table.columns),
        lines_(table.lines),
        badges_(table.badges),
        is_grouped_(table.is_grouped()),
        width_(width),
        layout_(layout(table.filled_columns())) {}

  std::string text(bool colour) const;

  // Titles of the columns that are left out, each once.
  std::vector<std::string> left_out() const {
    std::vector<std::string> titles;
    for (const std::size_t i : layout_.out) units::add_once(titles, columns_[i].title);
    return titles;
  }

 private:
  struct Layout {
    std::vector<std::size_t> above, beside, below, once, out;  // columns, in order; once: the same below every row
  };

  std::size_t width_of(std::size_t column) const;
  std::size_t width_of(const Layout& layout, const std::vector<std::size_t>& widths) const;
  std::size_t least_width_of(std::size_t column) const;
  bool fits(const Layout& layout, std::size_t width) const;
  void move(Layout& layout, std::vector<std::size_t>& to, const std::function<bool(const Column&)>& which) const;
  void leave_out(Layout& layout, std::size_t width) const;
  void say_once(Layout& layout) const;
  Layout form(const std::vector<std::size_t>& filled, std::size_t width) const;
  Layout layout(const std::vector<std::size_t>& filled) const;
  std::vector<std::size_t> widths_in(const Layout& layout) const;
  std::string kept(std::size_t column, const Table::Line& line, std::size_t width) const;
  std::string rows_text(const Table::Line& line, const std::vector<std::size_t>& widths, const Badges& badges) const;
  std::string folded(const std::vector<std::size_t>& columns, std::size_t by, std::size_t hang, const Table::Line& line,
                     const Badges& badges) const;
  std::string group_text(const Table::Line& line) const;
  std::vector<std::size_t> left_out_of(const std::string& title) const;
  std::optional<std::string> same_cell(const std::vector<std::size_t>& columns) const;
  std::string left_out_words() const;
  std::size_t indent() const { return is_grouped_ ? kRowIndent : 0; }

  const std::vector<Column>& columns_;
  const std::vector<Table::Line>& lines_;
  const Badges& badges_;
  bool is_grouped_;
  std::size_t width_;
  Layout layout_;
};

std::size_t TextTable::width_of(std::size_t column) const {
  std::size_t widest = units::display_width(columns_[column].title);
  for (const Table::Line& line : lines_) {
    if (!line.is_group) widest = std::max(widest, units::display_width(line.cells[column]));
  }
  return widest;
}

std::size_t TextTable::width_of(const Layout& layout, const std::vector<std::size_t>& widths) const {
  const std::size_t before = indent() + (layout.above.empty() ? 0 : kRowIndent);
  return std::accumulate(widths.begin(), widths.end(),
                         before + kColumnGap * (std::max<std::size_t>(widths.size(), 1) - 1));
}

void TextTable::move(Layout& layout, std::vector<std::size_t>& to,
                     const std::function<bool(const Column&)>& which) const {
  const auto moves = [&](std::size_t i) { return which(columns_[i]); };
  std::copy_if(layout.beside.begin(), layout.beside.end(), std::back_inserter(to), moves);
  std::erase_if(layout.beside, moves);
}

void TextTable::leave_out(Layout& layout, std::size_t width) const {
  while (!fits(layout, width)) {
    int most = 0;
    for (const std::size_t i : layout.beside) most = std::max(most, columns_[i].spare);
    if (most == 0) return;
    move(layout, layout.out, [most](const Column& column) { return column.spare == most; });
  }
}

// Takes from below what would stand there in each of several rows.
void TextTable::say_once(Layout& layout) const {
  const bool are_several = std::ranges::count(lines_, false, &Table::Line::is_group) > 1;
  const auto is_same = [&](std::size_t i) {
    return are_several && columns_[i].fold == Fold::below_or_once && same_cell({i}).value_or("") != "";
  };
  std::ranges::copy_if(layout.below, std::back_inserter(layout.once), is_same);
  std::erase_if(layout.below, is_same);
}

// The layout as it is decided for so many columns, before any is left out.
TextTable::Layout TextTable::form(const std::vector<std::size_t>& filled, std::size_t width) const {
  Layout layout;
  layout.beside = filled;
  move(layout, layout.below, [](const Column& column) { return column.fold == Fold::always_below; });
  if (fits(layout, width)) return layout;
  move(layout, layout.below, goes_below);
  Layout least = layout;
  leave_out(least, width);
  if (!fits(least, width)) move(layout, layout.above, [](const Column& column) { return column.fold == Fold::above; });
  return layout;
}

TextTable::Layout TextTable::layout(const std::vector<std::size_t>& filled) const {
  Layout layout = form(filled, width_ == kAnyWidth ? kAnyWidth : std::min(width_, kFormColumns));
  leave_out(layout, width_);
  say_once(layout);
  return layout;
}

// The least width of a column that is wrapped.
std::size_t TextTable::least_width_of(std::size_t column) const {
  if (columns_[column].fold == Fold::prose) return kLeastProse;
  std::size_t least = kLeastWrapped;
  const auto look = [&](const std::string& text) {
    for (const std::string& word : units::split(text, ' ')) least = std::max(least, units::display_width(word));
  };
  look(columns_[column].title);
  for (const Table::Line& line : lines_) {
    if (!line.is_group) look(kept(column, line, kLongestWord));
  }
  return std::min(least, kLongestWord);
}

// Whether all stands in that width, no word that is wrapped being broken.
bool TextTable::fits(const Layout& layout, std::size_t width) const {
  std::vector<std::size_t> least;
  for (const std::size_t i : layout.beside) {
    least.push_back(is_wrapped(columns_[i]) ? std::min(width_of(i), least_width_of(i)) : width_of(i));
  }
  return width_of(layout, least) <= width;
}

// How wide the columns stand beside each other: what is wrapped has what the others leave. Where that does not do, all
// are wrapped, and at last words are broken.
std::vector<std::size_t> TextTable::widths_in(const Layout& layout) const {
  std::vector<std::size_t> widths, words;
  for (const std::size_t i : layout.beside) {
    widths.push_back(width_of(i));
    words.push_back(least_width_of(i));
  }
  const std::vector<std::size_t> broken(widths.size(), kLeastWrapped);
  const auto shrink = [&](const std::vector<std::size_t>& least, const auto& may) {
    while (width_of(layout, widths) > width_) {
      std::size_t widest = widths.size();
      for (std::size_t k = 0; k < widths.size(); ++k) {
        if (!may(columns_[layout.beside[k]]) || widths[k] <= least[k]) continue;
        if (widest == widths.size() || widths[k] > widths[widest]) widest = k;
      }
      if (widest == widths.size()) return;
      --widths[widest];
    }
  };
  const auto any = [](const Column&) { return true; };
  shrink(broken, is_wrapped);
  shrink(words, any);
  shrink(broken, any);
  return widths;
}

// A cell as it is wrapped: its verdicts keep together.
std::string TextTable::kept(std::size_t column, const Table::Line& line, std::size_t width) const {
  const std::string& cell = line.cells[column];
  const bool has_verdicts = columns_[column].has_verdicts || badges_.contains(cell);
  return has_verdicts ? with_kept_verdicts(cell, badges_, width) : cell;
}

// The cells of a row that stand side by side: one line, or as many as the cell that is wrapped takes.
std::string TextTable::rows_text(const Table::Line& line, const std::vector<std::size_t>& widths,
                                 const Badges& badges) const {
  const std::string before(indent() + (layout_.above.empty() ? 0 : kRowIndent), ' ');
  std::vector<std::vector<std::string>> cells;
  std::size_t most = layout_.beside.empty() ? 0 : 1;
  for (std::size_t k = 0; k < layout_.beside.size(); ++k) {
    const std::string& cell = line.cells[layout_.beside[k]];
    const bool has_room = units::display_width(cell) <= widths[k];
    cells.push_back(has_room ? std::vector{cell} : units::wrapped(kept(layout_.beside[k], line, widths[k]), widths[k]));
    most = std::max(most, cells.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < most; ++i) {
    std::string row = before;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::string cell = i < cells[k].size() ? without_kept_verdicts(cells[k][i]) : "";
      const std::string aligned = units::padded(cell, widths[k], columns_[layout_.beside[k]].align == Align::right);
      row +=
          (k == 0 ? "" : std::string(kColumnGap, ' ')) + coloured(aligned, cell, columns_[layout_.beside[k]], badges);
    }
    text += units::without_trailing_space(row) + "\n";
  }
  return text;
}

std::string TextTable::folded(const std::vector<std::size_t>& columns, std::size_t by, std::size_t hang,
                              const Table::Line& line, const Badges& badges) const {
  std::string text;
  for (const std::size_t i : columns) {
    if (line.cells[i].empty()) continue;
    const std::size_t width = width_ - std::min(width_, by + hang);
    const std::string lines = indented(kept(i, line, width), by, hang, width_);
    text += coloured(without_kept_verdicts(lines), line.cells[i], columns_[i], badges);
  }
  return text;
}

std::string TextTable::group_text(const Table::Line& line) const {
  const std::string &title = line.cells[0], &remark = line.cells[1];
  const bool is_beside = units::display_width(title) + 2 + units::display_width(remark) <= width_;
  const std::string text = units::wrap(title + (is_beside && !remark.empty() ? "  " + remark : ""), width_) + "\n";
  return text + (is_beside || remark.empty() ? "" : indented(remark, kRemarkIndent, 0, width_));
}

// The one text of all rows in these columns.
std::optional<std::string> TextTable::same_cell(const std::vector<std::size_t>& columns) const {
  std::set<std::string> cells;
  for (const std::size_t i : columns) {
    for (const Table::Line& line : lines_) {
      if (!line.is_group) cells.insert(line.cells[i]);
    }
  }
  if (cells.size() != 1) return std::nullopt;
  return *cells.begin();
}

std::vector<std::size_t> TextTable::left_out_of(const std::string& title) const {
  std::vector<std::size_t> columns;
  std::ranges::copy_if(layout_.out, std::back_inserter(columns),
                       [&](std::size_t i) { return columns_[i].title == title; });
  return columns;
}

// "In every row: n 5+5. A wider terminal or --format markdown also shows: p, MDE."
std::string TextTable::left_out_words() const {
  std::vector<std::string> same, missing;
  for (const std::string& title : left_out()) {
    const std::optional<std::string> cell = same_cell(left_out_of(title));
    if (cell) same.push_back(title + " " + *cell);
    if (!cell) missing.push_back(title);
  }
  for (const std::size_t i : layout_.once) same.push_back(*same_cell({i}));
  std::string words = same.empty() ? "" : "In every row: " + units::joined(same) + ".";
  if (!missing.empty())
    units::append(words, "A wider terminal or --format markdown also shows: " + units::joined(missing) + ".", " ");
  return words;
}

std::string TextTable::text(bool colour) const {
  const Badges badges = colour ? badges_ : Badges();
  const std::size_t note_indent = indent() + (layout_.above.empty() ? 0 : kRowIndent) + kNoteIndent;
  const std::vector<std::size_t> widths = widths_in(layout_);
  Table::Line titles;
  for (const Column& column : columns_) titles.cells.push_back(column.title);
  std::string text = folded(layout_.above, indent(), kNameHang, titles, {}) + rows_text(titles, widths, {});
  for (const Table::Line& line : lines_) {
    text += line.is_group ? group_text(line)
                          : folded(layout_.above, indent(), kNameHang, line, badges) + rows_text(line, widths, badges) +
                                folded(layout_.below, note_indent, 0, line, badges);
  }
  const std::string words = left_out_words();
  return text + (words.empty() ? "" : units::wrap(words, width_) + "\n");
}

bool has_text(const std::string& cell) { return cell.find_first_not_of(' ') != cell.npos; }

// Some columns of a table with keys, beside these, and the rows that have anything there.
Table some_columns(const Table& table, std::size_t begin, std::size_t end) {
  const auto part = [&](const auto& all) {
    auto some = std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(table.keys));
    some.insert(some.end(), all.begin() + static_cast<std::ptrdiff_t>(begin),
                all.begin() + static_cast<std::ptrdiff_t>(end));
    return some;
  };
  Table some(part(table.columns));
  for (const Table::Line& line : table.lines) {
    std::vector<std::string> cells = part(line.cells);
    if (std::any_of(cells.begin() + static_cast<std::ptrdiff_t>(table.keys), cells.end(), has_text))
      some.lines.push_back({false, std::move(cells)});
  }
  return some;
}

// The tables that a table with keys is in that width; none where there is no room for any column beside them.
std::vector<Table> stacked(const Table& table, std::size_t width) {
  const auto width_of = [&](std::size_t column) {
    std::size_t widest = units::display_width(table.columns[column].title);
    for (const Table::Line& line : table.lines) widest = std::max(widest, units::display_width(line.cells[column]));
    return widest;
  };
  std::size_t keys = kStackIndent;
  for (std::size_t i = 0; i < table.keys; ++i) keys += (i == 0 ? 0 : kColumnGap) + width_of(i);
  std::vector<Table> all;
  for (std::size_t begin = table.keys, end = begin; begin < table.columns.size(); begin = end) {
    for (std::size_t used = keys; end < table.columns.size(); ++end) {
      used += kColumnGap + width_of(end);
      if (used > width) break;
    }
    if (end == begin) return {};
    all.push_back(some_columns(table, begin, end));
  }
  return all;
}

}  // namespace

std::vector<std::string> left_out(const Table& table, std::size_t columns) {
  return TextTable(table, columns).left_out();
}

std::size_t height_of(const Table& table, std::size_t columns) {
  std::size_t lines = 0;
  for (const Table& some : stacked(table, columns)) lines += 1 + some.lines.size();
  return lines;
}

std::string as_text(const Table& table, const Terminal& terminal) {
  const std::size_t width = terminal.columns;
  const auto line = [&](const std::string& text) { return units::wrap(units::visible(text), width) + "\n"; };
  if (table.empty() && table.instead.empty()) return "";
  std::string text = table.title.empty() ? "" : line(table.title + (table.remark.empty() ? "" : "  " + table.remark));
  if (table.empty()) return text + line(table.instead);
  const std::vector<Table> parts = table.keys > 0 ? stacked(table, width) : std::vector<Table>{};
  for (const Table& part : parts) {
    for (const std::string& row : units::split(TextTable(part, kAnyWidth).text(false), '\n'))
      text += std::string(kStackIndent, ' ') + row + "\n";
  }
  if (parts.empty()) text += TextTable(table, width).text(terminal.colour);
  const std::size_t before = parts.empty() ? 0 : kStackIndent;
  for (const std::string& note : table.notes)
    text += std::string(before, ' ') + units::wrap(units::visible(note), width - before) + "\n";
  return text;
}

}  // namespace cupel::report
