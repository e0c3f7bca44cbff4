#include "cupel/report/page/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "cupel/report/page/escape.hpp"
#include "cupel/report/page/lists.hpp"
#include "cupel/report/page/wrap.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

constexpr std::size_t kRowIndent = 2;  // of a group's rows, and of what stands below a name of its own line
constexpr std::size_t kColumnGap = 2;  // between columns
constexpr std::size_t kNoteIndent = 4, kNameHang = 8, kRemarkIndent = 8;
constexpr std::size_t kLeastWrapped = 6, kLongestWord = 24;  // of a column that is wrapped; longer words are broken
constexpr std::size_t kLeastProse = 28;

bool is_wrapped(const Column& column) { return column.fold == Fold::wrapped || column.fold == Fold::prose; }

// In lines of that width, the first behind `indent`, the others further in by `hang`.
std::string indented(const std::string& text, std::size_t indent, std::size_t hang, std::size_t width) {
  if (indent + display_width(text) <= width) return std::string(indent, ' ') + text + "\n";
  std::string lines;
  for (const std::string& line : wrapped(text, width - std::min(width, indent + hang))) {
    lines += std::string(indent + (lines.empty() ? 0 : hang), ' ') + line + "\n";
  }
  return lines;
}

// ANSI's green, yellow and red.
std::string coloured(const std::string& aligned, const std::string& cell, const Badges& badges) {
  const auto badge = badges.find(cell);
  if (badge == badges.end()) return aligned;
  const char* const code = badge->second == "good" ? "32" : badge->second == "warn" ? "33" : "31";
  const std::size_t begin = aligned.find(cell);
  return fmt::format("{}\x1b[{}m{}\x1b[0m{}", aligned.substr(0, begin), code, cell,
                     aligned.substr(begin + cell.size()));
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

std::vector<std::span<const std::string>> Table::rows() const {
  std::vector<std::span<const std::string>> rows;
  for (const Line& line : lines_) {
    if (!line.is_group) rows.emplace_back(line.cells);
  }
  return rows;
}

void Table::group(const std::string& title, const std::string& remark) {
  is_grouped_ = true;
  lines_.push_back({true, {units::visible(title), units::visible(remark)}});
}

void Table::row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size())
    throw std::invalid_argument("a row must have as many cells as the table columns");
  for (std::string& cell : cells) cell = units::visible(cell);
  lines_.push_back({false, std::move(cells)});
}

bool Table::column_is_empty(std::size_t column) const {
  return std::ranges::all_of(lines_, [&](const Line& line) { return line.is_group || line.cells[column].empty(); });
}

std::size_t Table::width_of(std::size_t column) const {
  std::size_t widest = display_width(columns_[column].title);
  for (const Line& line : lines_) {
    if (!line.is_group) widest = std::max(widest, display_width(line.cells[column]));
  }
  return widest;
}

std::size_t Table::width_of(const Layout& layout, const std::vector<std::size_t>& widths) const {
  const std::size_t indent = (is_grouped_ ? kRowIndent : 0) + (layout.above.empty() ? 0 : kRowIndent);
  return std::accumulate(widths.begin(), widths.end(),
                         indent + kColumnGap * (std::max<std::size_t>(widths.size(), 1) - 1));
}

void Table::move(Layout& layout, std::vector<std::size_t>& to, const std::function<bool(const Column&)>& which) const {
  const auto moves = [&](std::size_t i) { return which(columns_[i]); };
  std::copy_if(layout.beside.begin(), layout.beside.end(), std::back_inserter(to), moves);
  std::erase_if(layout.beside, moves);
}

void Table::leave_out(Layout& layout, std::size_t width) const {
  while (!fits(layout, width)) {
    int most = 0;
    for (const std::size_t i : layout.beside) most = std::max(most, columns_[i].spare);
    if (most == 0) return;
    move(layout, layout.out, [most](const Column& column) { return column.spare == most; });
  }
}

Table::Layout Table::layout(std::size_t width) const {
  Layout layout;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!column_is_empty(i)) layout.beside.push_back(i);
  }
  if (fits(layout, width)) return layout;
  move(layout, layout.below,
       [](const Column& column) { return column.fold == Fold::below || column.fold == Fold::prose; });
  Layout above = layout;
  leave_out(layout, width);
  if (fits(layout, width)) return layout;
  move(above, above.above, [](const Column& column) { return column.fold == Fold::above; });
  leave_out(above, width);
  return above;
}

// The least width of a column that is wrapped.
std::size_t Table::least_width_of(std::size_t column) const {
  if (columns_[column].fold == Fold::prose) return kLeastProse;
  std::size_t least = kLeastWrapped;
  const auto look = [&](const std::string& text) {
    for (const std::string& word : split(text, ' ')) least = std::max(least, display_width(word));
  };
  look(columns_[column].title);
  for (const Line& line : lines_) {
    if (!line.is_group) look(line.cells[column]);
  }
  return std::min(least, kLongestWord);
}

// Whether all stands in that width, no word that is wrapped being broken.
bool Table::fits(const Layout& layout, std::size_t width) const {
  std::vector<std::size_t> least;
  for (const std::size_t i : layout.beside) {
    least.push_back(is_wrapped(columns_[i]) ? std::min(width_of(i), least_width_of(i)) : width_of(i));
  }
  return width_of(layout, least) <= width;
}

// How wide the columns stand beside each other: what is wrapped has what the others leave. Where that does not do, all
// are wrapped, and at last words are broken.
std::vector<std::size_t> Table::widths_in(const Layout& layout, std::size_t width) const {
  std::vector<std::size_t> widths, words;
  for (const std::size_t i : layout.beside) {
    widths.push_back(width_of(i));
    words.push_back(least_width_of(i));
  }
  const std::vector<std::size_t> broken(widths.size(), kLeastWrapped);
  const auto shrink = [&](const std::vector<std::size_t>& least, const auto& may) {
    while (width_of(layout, widths) > width) {
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

// The cells of a row that stand side by side: one line, or as many as the cell that is wrapped takes.
std::string Table::rows_text(const Line& line, const Layout& layout, const std::vector<std::size_t>& widths,
                             const Badges& badges) const {
  const std::string indent((is_grouped_ ? kRowIndent : 0) + (layout.above.empty() ? 0 : kRowIndent), ' ');
  std::vector<std::vector<std::string>> cells;
  std::size_t most = layout.beside.empty() ? 0 : 1;
  for (std::size_t k = 0; k < layout.beside.size(); ++k) {
    const std::string& cell = line.cells[layout.beside[k]];
    const bool fits = display_width(cell) <= widths[k];
    cells.push_back(fits ? std::vector{cell} : wrapped(cell, widths[k]));
    most = std::max(most, cells.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < most; ++i) {
    std::string row = indent;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::string cell = i < cells[k].size() ? cells[k][i] : "";
      const std::string aligned = padded(cell, widths[k], columns_[layout.beside[k]].align == Align::right);
      row += (k == 0 ? "" : std::string(kColumnGap, ' ')) + coloured(aligned, cell, badges);
    }
    text += without_trailing_space(row) + "\n";
  }
  return text;
}

std::string Table::text(std::size_t width, const Badges& badges) const {
  const Layout layout = this->layout(width);
  const std::size_t indent = is_grouped_ ? kRowIndent : 0;
  const std::size_t note_indent = indent + (layout.above.empty() ? 0 : kRowIndent) + kNoteIndent;
  const std::vector<std::size_t> widths = widths_in(layout, width);
  const auto folded = [&](const std::vector<std::size_t>& columns, std::size_t by, std::size_t hang, const Line& line) {
    std::string text;
    for (const std::size_t i : columns) {
      if (!line.cells[i].empty()) text += indented(line.cells[i], by, hang, width);
    }
    return text;
  };
  const auto above = [&](const Line& line) { return folded(layout.above, indent, kNameHang, line); };
  Line titles;
  for (const Column& column : columns_) titles.cells.push_back(column.title);
  std::string text = above(titles) + rows_text(titles, layout, widths, {});
  for (const Line& line : lines_) {
    if (line.is_group) {
      const bool beside = display_width(line.cells[0]) + 2 + display_width(line.cells[1]) <= width;
      text += wrap(line.cells[0] + (beside && !line.cells[1].empty() ? "  " + line.cells[1] : ""), width) + "\n";
      if (!beside && !line.cells[1].empty()) text += indented(line.cells[1], kRemarkIndent, 0, width);
    } else {
      text += above(line) + rows_text(line, layout, widths, badges) + folded(layout.below, note_indent, 0, line);
    }
  }
  const std::vector<std::string> missing = left_out(width);
  if (missing.empty()) return text;
  return text +
         wrap(
             fmt::format("left out here: {}; a wider terminal or --format markdown has them", fmt::join(missing, ", ")),
             width) +
         "\n";
}

std::vector<std::string> Table::left_out(std::size_t width) const {
  std::vector<std::string> titles;
  for (const std::size_t i : layout(width).out) add_once(titles, columns_[i].title);
  return titles;
}

std::string Table::markdown() const {
  std::vector<std::size_t> shown;
  std::string text = "|", rule = "|";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (column_is_empty(i)) continue;
    shown.push_back(i);
    text += " " + escape_markdown(columns_[i].title) + " |";
    rule += columns_[i].align == Align::left ? " :--- |" : " ---: |";
  }
  text += "\n" + rule + "\n";
  for (const Line& line : lines_) {
    text += "|";
    for (std::size_t k = 0; k < shown.size(); ++k) {
      if (!line.is_group) {
        text += " " + escape_markdown(line.cells[shown[k]]) + " |";
      } else if (k == 0) {
        text += " **" + escape_markdown(line.cells[0]) + "** " + escape_markdown(line.cells[1]) + " |";
      } else {
        text += " |";
      }
    }
    text += "\n";
  }
  return text;
}

}  // namespace cupel::report
