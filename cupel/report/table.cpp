#include "cupel/report/table.hpp"

#include <algorithm>
#include <stdexcept>

#include "cupel/report/escape.hpp"

namespace cupel::report {
namespace {

std::string pad(const std::string& text, std::size_t width, Align align) {
  const std::size_t used = display_width(text);
  const std::string space(width > used ? width - used : 0, ' ');
  return align == Align::left ? text + space : space + text;
}

std::string without_trailing_space(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string wrap(const std::string& line, std::size_t columns) {
  const std::string indent(8, ' ');
  columns = std::max(columns, 2 * indent.size());
  std::string text, rest = line;
  while (rest.size() > columns) {
    std::size_t cut = rest.rfind(' ', columns);
    if (cut == std::string::npos || cut <= indent.size()) cut = columns;
    const std::string line_break = rest.substr(0, cut);
    text += line_break.substr(0, line_break.find_last_not_of(' ') + 1) + "\n";
    rest = indent + rest.substr(rest[cut] == ' ' ? cut + 1 : cut);
  }
  return text + rest;
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::group(std::string title, std::string remark) {
  lines_.push_back({true, {std::move(title), std::move(remark)}});
}

void Table::row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size())
    throw std::invalid_argument("a row must have as many cells as the table columns");
  lines_.push_back({false, std::move(cells)});
}

bool Table::column_is_empty(std::size_t column) const {
  return std::all_of(lines_.begin(), lines_.end(),
                     [&](const Line& line) { return line.is_group || line.cells[column].empty(); });
}

std::string Table::text(std::size_t width) const {
  const bool grouped = std::any_of(lines_.begin(), lines_.end(), [](const Line& line) { return line.is_group; });
  const std::string indent = grouped ? "  " : "";
  std::vector<std::size_t> shown, widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (column_is_empty(i)) continue;
    std::size_t widest = display_width(columns_[i].title);
    for (const Line& line : lines_) {
      if (!line.is_group) widest = std::max(widest, display_width(line.cells[i]));
    }
    shown.push_back(i);
    widths.push_back(widest);
  }
  const auto join = [&](const auto& cell_of) {
    std::string line = indent;
    for (std::size_t k = 0; k < shown.size(); ++k) {
      line += (k == 0 ? "" : "  ") + pad(cell_of(shown[k]), widths[k], columns_[shown[k]].align);
    }
    return without_trailing_space(line) + "\n";
  };

  std::string text = join([&](std::size_t i) { return columns_[i].title; });
  for (const Line& line : lines_) {
    if (line.is_group) {
      const bool beside = display_width(line.cells[0]) + 2 + display_width(line.cells[1]) <= width;
      const std::string gap = beside ? "  " : "\n" + std::string(8, ' ');
      text += line.cells[0] + (line.cells[1].empty() ? "" : gap + line.cells[1]) + "\n";
    } else {
      text += join([&](std::size_t i) { return line.cells[i]; });
    }
  }
  return text;
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
