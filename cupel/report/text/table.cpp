#include "cupel/report/text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "cupel/report/text/escape.hpp"
#include "cupel/report/text/wrap.hpp"

namespace cupel::report {
namespace {

constexpr std::size_t kRowIndent = 2;  // of a group's rows, and of what stands below a name of its own line
constexpr std::size_t kColumnGap = 2;  // between columns

}  // namespace

std::string left_out_text(const std::vector<std::string>& titles) {
  return fmt::format("left out here: {}; a wider terminal has all columns, and so has --format markdown",
                     fmt::join(titles, ", "));
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

std::vector<std::vector<std::string>> Table::rows() const {
  std::vector<std::vector<std::string>> rows;
  for (const Line& line : lines_) {
    if (!line.is_group) rows.push_back(line.cells);
  }
  return rows;
}

void Table::group(const std::string& title, const std::string& remark) {
  lines_.push_back({true, {escape_text(title), escape_text(remark)}});
}

void Table::row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size())
    throw std::invalid_argument("a row must have as many cells as the table columns");
  for (std::string& cell : cells) cell = escape_text(cell);
  lines_.push_back({false, std::move(cells)});
}

bool Table::column_is_empty(std::size_t column) const {
  return std::all_of(lines_.begin(), lines_.end(),
                     [&](const Line& line) { return line.is_group || line.cells[column].empty(); });
}

bool Table::is_grouped() const {
  return std::any_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.is_group; });
}

std::size_t Table::width_of(std::size_t column) const {
  std::size_t widest = display_width(columns_[column].title);
  for (const Line& line : lines_) {
    if (!line.is_group) widest = std::max(widest, display_width(line.cells[column]));
  }
  return widest;
}

std::size_t Table::width_of(const Layout& layout) const {
  std::size_t width = (is_grouped() ? kRowIndent : 0) + (layout.above.empty() ? 0 : kRowIndent);
  for (const std::size_t i : layout.beside) width += (i == layout.beside.front() ? 0 : kColumnGap) + width_of(i);
  return width;
}

void Table::move(Layout& layout, std::vector<std::size_t>& to, const std::function<bool(const Column&)>& which) const {
  const auto moves = [&](std::size_t i) { return which(columns_[i]); };
  std::copy_if(layout.beside.begin(), layout.beside.end(), std::back_inserter(to), moves);
  std::erase_if(layout.beside, moves);
}

void Table::leave_out(Layout& layout, std::size_t width) const {
  while (width_of(layout) > width) {
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
  if (width_of(layout) <= width) return layout;
  move(layout, layout.below, [](const Column& column) { return column.fold == Fold::below; });
  Layout above = layout;
  leave_out(layout, width);
  if (width_of(layout) <= width) return layout;
  move(above, above.above, [](const Column& column) { return column.fold == Fold::above; });
  leave_out(above, width);
  return above;
}

std::string Table::text(std::size_t width) const {
  const Layout layout = this->layout(width);
  const std::string indent(is_grouped() ? kRowIndent : 0, ' ');
  const std::string further = indent + std::string(layout.above.empty() ? 0 : kRowIndent, ' ');
  std::vector<std::size_t> widths;
  for (const std::size_t i : layout.beside) widths.push_back(width_of(i));
  const auto join = [&](const auto& cell_of) {
    std::string line = further;
    for (std::size_t k = 0; k < layout.beside.size(); ++k) {
      const std::size_t i = layout.beside[k];
      line += (k == 0 ? "" : "  ") + padded(cell_of(i), widths[k], columns_[i].align == Align::right);
    }
    return without_trailing_space(line) + "\n";
  };
  const auto folded = [&](const std::vector<std::size_t>& columns, const std::string& indent_of, const auto& cell_of) {
    std::string text;
    for (const std::size_t i : columns) {
      if (cell_of(i).empty()) continue;
      for (const std::string& line : wrapped(cell_of(i), width - std::min(width, indent_of.size()))) {
        text += indent_of + line + "\n";
      }
    }
    return text;
  };

  const auto title_of = [&](std::size_t i) { return columns_[i].title; };
  std::string text = folded(layout.above, indent, title_of) + join(title_of);
  for (const Line& line : lines_) {
    if (line.is_group) {
      const bool beside = display_width(line.cells[0]) + 2 + display_width(line.cells[1]) <= width;
      const std::string gap = beside ? "  " : "\n" + std::string(8, ' ');
      text += line.cells[0] + (line.cells[1].empty() ? "" : gap + line.cells[1]) + "\n";
    } else {
      const auto cell_of = [&](std::size_t i) { return line.cells[i]; };
      text += folded(layout.above, indent, cell_of) + join(cell_of) + folded(layout.below, further + "    ", cell_of);
    }
  }
  return text;
}

bool Table::fits(std::size_t width) const {
  const Layout layout = this->layout(width);
  return layout.above.empty() && layout.below.empty() && layout.out.empty() && width_of(layout) <= width;
}

std::vector<std::string> Table::left_out(std::size_t width) const {
  std::vector<std::string> titles;
  for (const std::size_t i : layout(width).out) {
    if (std::find(titles.begin(), titles.end(), columns_[i].title) == titles.end()) {
      titles.push_back(columns_[i].title);
    }
  }
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
