#include "cupel/report/html/figure.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cupel/report/html/text.hpp"

namespace cupel::report::html {
namespace {

bool is_numeric(const TextTable& table, std::size_t column) {
  return column < table.numeric.size() && table.numeric[column];
}

std::string cell_html(const TextTable& table, const std::string& cell) {
  const auto badge = table.badges.find(cell);
  if (badge == table.badges.end()) return safe(cell);
  return fmt::format("<span class=\"badge {}\">{}</span>", badge->second, safe(cell));
}

}  // namespace

std::string html(const Figure& figure, const std::string& id) {
  return fmt::format("<figure id=\"{}\"{}><h4>{}</h4>\n{}<figcaption>{}</figcaption></figure>\n", id,
                     figure.wide ? " class=\"wide\"" : "", figure.title, figure.body, figure.caption);
}

std::string html(const TextTable& table) {
  std::string out = "<div class=\"scroll\"><table class=\"data\"><thead><tr>";
  for (std::size_t i = 0; i < table.titles.size(); ++i) {
    out +=
        fmt::format("<th scope=\"col\"{}>{}</th>", is_numeric(table, i) ? " class=\"num\"" : "", safe(table.titles[i]));
  }
  out += "</tr></thead><tbody>\n";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    out += table.devices.empty() ? "<tr>" : fmt::format("<tr class=\"d{}\">", table.devices[row]);
    for (std::size_t i = 0; i < table.rows[row].size(); ++i) {
      const char* element = i == 0 ? "th scope=\"row\"" : "td";
      out += fmt::format("<{}{}>{}</{}>", element, is_numeric(table, i) ? " class=\"num\"" : "",
                         cell_html(table, table.rows[row][i]), i == 0 ? "th" : "td");
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

TextTable text_table(const Table& table) {
  TextTable result;
  result.rows = table.rows();
  for (std::size_t i = table.columns().size(); i-- > 0;) {
    const Column& column = table.columns()[i];
    if (std::ranges::all_of(result.rows, [i](const auto& row) { return row[i].empty(); })) {
      for (auto& row : result.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    result.titles.insert(result.titles.begin(), column.title);
    result.numeric.insert(result.numeric.begin(), column.align == Align::right);
  }
  return result;
}

std::string html_list(const std::vector<std::string>& lines) {
  std::string out = "<ul>\n";
  for (const std::string& line : lines) out += "<li>" + safe(line, 1000) + "</li>\n";
  return out + "</ul>\n";
}

std::string folded(const std::string& summary, const std::string& content) {
  return "<details><summary>" + summary + "</summary>\n" + content + "</details>\n";
}

}  // namespace cupel::report::html
