// Pages as HTML.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cupel/report/page/html_page.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/report/page/verdicts.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {
namespace {

using html::breakable;
using html::kSentence;
using html::safe;

constexpr std::size_t kLongestCaption = 4000;

std::string badge_html(std::string_view words, Badge badge) {
  return fmt::format("<span class=\"badge {}\">{}</span>", to_string(badge), safe(words));
}

constexpr std::size_t kManyColumns = 12;  // numbers of such a table take more than one line

// "3.480 to", "3.493 ms", "(range)": between these alone a line of numbers is broken.
std::string number_html(const std::string& cell) {
  std::string out = safe(cell, kSentence);
  if (const std::size_t to = out.find(" to "); to != out.npos) out.insert(to + 4, "<wbr>");
  if (const std::size_t remark = out.find(" ("); remark != out.npos) out.insert(remark + 1, "<wbr>");
  return out;
}

std::string cell_html(const std::string& cell, const Table& table, const Column& column) {
  if (column.has_verdicts) {
    std::string out;
    for (const auto& [words, badge] : verdict_parts(cell, table.badges))
      out += badge ? badge_html(words, *badge) : breakable(words, kSentence);
    return out;
  }
  const bool has_verdicts = std::ranges::any_of(table.columns, &Column::has_verdicts);  // those alone are marked then
  const auto badge = has_verdicts ? table.badges.end() : table.badges.find(cell);
  if (badge != table.badges.end()) return badge_html(cell, badge->second);
  if (const auto link = table.links.find(cell); link != table.links.end())
    return fmt::format("<a href=\"{}\">{}</a>", safe(link->second, kSentence), breakable(cell, kSentence));
  const std::string text = breakable(cell, kSentence);
  return column.is_code ? "<code>" + text + "</code>" : text;
}

class HtmlBlocks {
 public:
  void add(const Blocks& blocks) {
    for (const Block& block : blocks) {
      in_grid(std::holds_alternative<Chart>(block));
      std::visit([&](const auto& one) { add(one); }, static_cast<const Block::variant&>(block));
    }
    in_grid(false);
  }

  std::string take() { return std::move(out_); }

 private:
  void add(const Heading& heading) { element(heading.level < 4 ? "h3" : "h4", heading.title); }

  void add(const Paragraph& paragraph) { element("p", paragraph.text); }

  void add(const List& list) {
    if (list.items.empty()) return;
    out_ += "<ul>\n";
    for (const std::string& item : list.items) element("li", item);
    out_ += "</ul>\n";
  }

  void add(const Fields& fields) {
    out_ += "<dl class=\"fields\">\n";
    for (const auto& [label, text] : fields.labelled) {
      if (!text.empty()) out_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", safe(label), breakable(text, kSentence));
    }
    out_ += "</dl>\n";
  }

  void add(const Table& table) {
    if (table.empty() && table.instead.empty()) return;
    if (!table.title.empty()) element("h4", table.title + (table.remark.empty() ? "" : " " + table.remark));
    if (table.empty()) return element("p", table.instead);
    const std::vector<std::size_t> shown = table.filled_columns();
    put("<div class=\"scroll\"><table class=\"{}\"><thead><tr>", classes_of(table, shown));
    for (const std::size_t i : shown)
      put("<th scope=\"col\"{}>{}</th>", class_of(table.columns[i]), safe(table.columns[i].title));
    out_ += "</tr></thead><tbody>\n";
    for (const Table::Line& line : table.lines) line.is_group ? group(line, shown) : row(table, line, shown);
    out_ += "</tbody></table></div>\n";
    for (const std::string& note : table.notes) put("<p class=\"note\">{}</p>\n", breakable(note, kSentence));
  }

  void add(const Folded& folded) {
    put("<details{}><summary>{}</summary>\n", attribute("id", folded.id), breakable(folded.summary, kSentence));
    add(folded.inside);
    out_ += "</details>\n";
  }

  void add(const Either& either) { add(either.beside); }

  void add(const PictureAndWords& both) {
    out_ += "<div class=\"beside\"><div>\n";
    add(both.picture);
    out_ += "</div><div>\n";
    add(both.words);
    out_ += "</div></div>\n";
  }

  void add(const Chart& chart) {
    put("<figure id=\"{}\"{}><h4><a class=\"self\" href=\"#{}\" aria-label=\"Link to this figure\">#</a> ", chart.id,
        chart.is_picture   ? " class=\"picture\""
        : chart.is_wide    ? " class=\"wide\""
        : chart.begins_row ? " class=\"begins\""
                           : "",
        chart.id);
    if (!chart.name.empty()) out_ += "<code>" + breakable(chart.name) + "</code> ";
    if (!chart.title.empty()) out_ += breakable(chart.title) + " ";
    out_ += "<span>" + safe(chart.words) + "</span></h4>\n";
    if (!chart.folded.empty()) out_ += "<details><summary>" + safe(chart.folded) + "</summary>\n";
    draw(chart);
    if (!chart.folded.empty()) out_ += "</details>\n";
    if (!chart.caption.empty()) out_ += "<figcaption>" + breakable(chart.caption, kLongestCaption) + "</figcaption>";
    out_ += "</figure>\n";
  }

  void draw(const Chart& chart) {
    if (const auto* lines = std::get_if<html::LineChart>(&chart.drawing)) {
      out_ += html::legend(*lines, chart.devices) + html::svg(*lines);
    } else {
      out_ += html::table(std::get<html::RowPlot>(chart.drawing));
    }
  }

  void row(const Table& table, const Table::Line& line, const std::vector<std::size_t>& shown) {
    put("<tr{}{}{}>", line.device ? fmt::format(" class=\"d{}\"", *line.device) : "", attribute("id", line.id),
        attribute("data-name", line.name));
    for (const std::size_t i : shown) {
      const bool is_first = i == shown.front();
      const bool is_number = table.columns[i].align == Align::right && line.cells[i].find(' ') != std::string::npos;
      const bool is_parted = !is_first && is_number && shown.size() >= kManyColumns;
      put("<{}{}>{}</{}>", is_first ? "th scope=\"row\"" : "td", class_of(table.columns[i]),
          is_parted ? number_html(line.cells[i]) : cell_html(line.cells[i], table, table.columns[i]),
          is_first ? "th" : "td");
    }
    out_ += "</tr>\n";
  }

  void group(const Table::Line& line, const std::vector<std::size_t>& shown) {
    put("<tr><th scope=\"rowgroup\" colspan=\"{}\">{} <small>{}</small></th></tr>\n", shown.size(), safe(line.cells[0]),
        safe(line.cells[1]));
  }

  static std::string attribute(const char* name, const std::string& value) {
    return value.empty() ? "" : fmt::format(" {}=\"{}\"", name, safe(value, kSentence));
  }

  // Charts that follow one another stand in a grid.
  void in_grid(bool is_in) {
    if (is_in != is_in_grid_) out_ += is_in ? "<div class=\"figures\">\n" : "</div>\n";
    is_in_grid_ = is_in;
  }

  void element(const char* name, const std::string& text) { put("<{0}>{1}</{0}>\n", name, breakable(text, kSentence)); }

  // For the style, which would have to look at each heading for every cell.
  static std::string classes_of(const Table& table, const std::vector<std::size_t>& shown) {
    std::string classes = "data";
    if (shown.size() >= kManyColumns) classes += " many";
    if (shown.size() < 3) classes += " pairs";
    if (!shown.empty() && table.columns[shown.front()].title.empty()) classes += " ranked";
    return classes;
  }

  static std::string class_of(const Column& column) {
    std::string classes = column.align == Align::right ? "num" : "";
    if (column.device) units::append(classes, fmt::format("d{}", *column.device), " ");
    return classes.empty() ? "" : " class=\"" + classes + "\"";
  }

  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  std::string out_;
  bool is_in_grid_ = false;
};

}  // namespace

std::string as_html(const Blocks& blocks) {
  HtmlBlocks html;
  html.add(blocks);
  return html.take();
}

std::string as_html(const Page& page, const std::vector<std::string>& devices) {
  std::vector<html::Section> sections;
  Blocks inside;
  const auto end_section = [&] {
    if (inside.empty()) return;
    if (sections.empty()) sections.push_back({"summary", "Summary", "", ""});
    sections.back().body += as_html(std::exchange(inside, {}));
  };
  for (const Block& block : page.blocks) {
    const Heading* heading = std::get_if<Heading>(&block);
    if (heading == nullptr || (heading->level > 2 && heading->id.empty())) {
      inside.push_back(block);
    } else if (heading->level > 1) {
      end_section();
      sections.push_back(
          {heading->id.empty() ? html::slug(heading->title) : heading->id, heading->title, "", heading->folded});
    }
  }
  end_section();
  return html::page(page, devices, sections);
}

}  // namespace cupel::report
