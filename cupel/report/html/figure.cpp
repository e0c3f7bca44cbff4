#include "cupel/report/html/figure.hpp"

#include <fmt/core.h>

#include "cupel/report/html/text.hpp"

namespace cupel::report::html {
namespace {

bool is_numeric(const TextTable& table, std::size_t column) {
  return column < table.numeric.size() && table.numeric[column];
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
                         safe(table.rows[row][i]), i == 0 ? "th" : "td");
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string folded(const std::string& summary, const std::string& content) {
  return "<details><summary>" + summary + "</summary>\n" + content + "</details>\n";
}

}  // namespace cupel::report::html
