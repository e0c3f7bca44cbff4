#include "cupel/report/page/table.hpp"

#include <algorithm>
#include <stdexcept>

#include "cupel/units/utf8.hpp"

namespace cupel::report {

void Table::group(const std::string& group, const std::string& beside) {
  lines.push_back({true, {units::visible(group), units::visible(beside)}});
}

void Table::row(std::vector<std::string> cells, std::optional<std::size_t> device, std::string id) {
  if (cells.size() != columns.size()) throw std::invalid_argument("a row must have as many cells as the table columns");
  for (std::string& cell : cells) cell = units::visible(cell);
  lines.push_back({false, std::move(cells), device, std::move(id)});
}

bool Table::is_grouped() const { return std::ranges::any_of(lines, &Line::is_group); }

std::vector<std::span<const std::string>> Table::rows() const {
  std::vector<std::span<const std::string>> rows;
  for (const Line& line : lines) {
    if (!line.is_group) rows.emplace_back(line.cells);
  }
  return rows;
}

std::vector<std::size_t> Table::filled_columns() const {
  std::vector<std::size_t> filled;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto has_text = [i](const Line& line) { return !line.is_group && !line.cells[i].empty(); };
    if (std::ranges::any_of(lines, has_text)) filled.push_back(i);
  }
  return filled;
}

}  // namespace cupel::report
