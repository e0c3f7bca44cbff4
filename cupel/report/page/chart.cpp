#include "cupel/report/page/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "cupel/report/page/html_text.hpp"

namespace cupel::report::html {
namespace {

std::string cell_html(const std::string& cell, const Marks& marks) {
  const auto badge = marks.badges.find(cell);
  if (badge == marks.badges.end()) return safe(cell, kSentence);
  return fmt::format("<span class=\"badge {}\">{}</span>", badge->second, safe(cell));
}

}  // namespace

std::string html(const Chart& chart, const std::string& id) {
  std::string out =
      fmt::format("<figure id=\"{}\"{}><h4>{}</h4>\n", id, chart.wide ? " class=\"wide\"" : "", chart.title);
  out += chart.body;
  out += fmt::format("<figcaption>{}</figcaption></figure>\n", chart.caption);
  return out;
}

std::string html(const Table& table, const Marks& marks) {
  const std::vector<std::span<const std::string>> rows = table.rows();
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    if (!std::ranges::all_of(rows, [i](const auto& row) { return row[i].empty(); })) shown.push_back(i);
  }
  const auto alignment = [&](std::size_t i) {
    return table.columns()[i].align == Align::right ? " class=\"num\"" : "";
  };
  std::string out = "<div class=\"scroll\"><table class=\"data\"><thead><tr>";
  for (const std::size_t i : shown) {
    out += fmt::format("<th scope=\"col\"{}>{}</th>", alignment(i), safe(table.columns()[i].title));
  }
  out += "</tr></thead><tbody>\n";
  for (std::size_t row = 0; row < rows.size(); ++row) {
    out += marks.devices.empty() ? "<tr>" : fmt::format("<tr class=\"d{}\">", marks.devices[row]);
    for (const std::size_t i : shown) {
      const bool first = i == shown.front();
      fmt::format_to(std::back_inserter(out), "<{}{}>{}</{}>", first ? "th scope=\"row\"" : "td", alignment(i),
                     cell_html(rows[row][i], marks), first ? "th" : "td");
    }
    out += "</tr>\n";
  }
  return std::move(out) + "</tbody></table></div>\n";
}

std::string html_list(const std::vector<std::string>& lines) {
  std::string out = "<ul>\n";
  for (const std::string& line : lines) out += "<li>" + safe(line, kSentence) + "</li>\n";
  return std::move(out) + "</ul>\n";
}

std::string folded(const std::string& summary, const std::string& content) {
  return "<details><summary>" + summary + "</summary>\n" + content + "</details>\n";
}

}  // namespace cupel::report::html
