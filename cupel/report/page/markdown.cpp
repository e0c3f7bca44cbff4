// Pages as Markdown.
#include <fmt/format.h>

#include <algorithm>

#include "cupel/report/page/escape.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::report {
namespace {

std::size_t tables_in(const Blocks& blocks) {
  std::size_t count = 0;
  for (const Block& block : blocks) {
    count += std::holds_alternative<Table>(block);
    if (const Folded* folded = std::get_if<Folded>(&block)) count += tables_in(folded->inside);
    if (const Either* either = std::get_if<Either>(&block)) count += tables_in(either->beside);
  }
  return count;
}

class MarkdownPage {
 public:
  MarkdownPage(std::size_t longest, std::size_t tables) : longest_(longest), tables_left_(tables) {}

  void add(const Blocks& blocks) {
    for (const Block& block : blocks)
      std::visit([&](const auto& one) { add(one); }, static_cast<const Block::variant&>(block));
  }

  std::string take() { return std::move(text_); }

 private:
  void add(const Heading& heading) {
    if (heading.html_only) return;
    paragraph(std::string(static_cast<std::size_t>(heading.level), '#') + " " + escape_markdown(heading.title));
  }

  void add(const Paragraph& said) { paragraph(escape_markdown(said.text)); }

  void add(const List& list) {
    if (!list.items.empty() && !(in_list_ && list.has_bullets)) gap();
    for (const std::string& item : list.items) text_ += "- " + escape_markdown(item) + "\n";
    in_list_ = list.has_bullets && !list.items.empty();
  }

  void add(const Fields& fields) {
    gap();
    for (const auto& [label, text] : fields.labelled) {
      if (text.empty()) continue;
      const std::string title = label.empty() ? "" : "**" + escape_markdown(label) + "**: ";
      text_ += "- " + title + escape_markdown(text) + "\n";
    }
    in_list_ = true;
  }

  void add(const Table& table) {
    if (tables_left_ > 0) --tables_left_;
    if (table.empty() && table.instead.empty()) return;
    if (!table.title.empty()) {
      const std::string remark = table.remark.empty() ? "" : " " + escape_markdown(table.remark);
      paragraph("**" + escape_markdown(table.title) + "**" + remark);
    }
    if (table.empty()) return paragraph(escape_markdown(table.instead));
    gap();
    rows(table);
    if (!table.notes.empty()) add(List{table.notes, false});
  }

  void add(const Folded& folded) {
    if (!folded.instead.empty()) return paragraph(escape_markdown(folded.instead));
    paragraph("<details><summary>" + escape_html(folded.summary) + "</summary>");
    add(folded.inside);
    paragraph("</details>");
  }

  void add(const Either& either) { add(either.beside); }

  void add(const PictureAndWords& both) {
    add(both.words);
    add(both.picture);
  }

  void add(const Chart& chart) { add(table_of(chart)); }

  // Until there is no room for more: then it says how many are left out.
  void rows(const Table& table) {
    const std::vector<std::size_t> shown = table.filled_columns();
    std::string titles = "|", rule = "|";
    for (const std::size_t i : shown) {
      titles += " " + escape_markdown(table.columns[i].title) + " |";
      rule += table.columns[i].align == Align::left ? " :--- |" : " ---: |";
    }
    text_ += titles + "\n" + rule + "\n";
    const std::size_t most = text_.size() + room();
    for (std::size_t i = 0; i < table.lines.size(); ++i) {
      const std::string line = table.lines[i].is_group ? group(table.lines[i], shown) : row(table, i, shown);
      if (text_.size() + line.size() > most) {
        const auto more = static_cast<std::int64_t>(table.lines.size() - i);
        text_ += fmt::format("\n{} did not fit here; the JSON output has all.\n", units::counted(more, "more row"));
        return;
      }
      text_ += line;
    }
  }

  static std::string row(const Table& table, std::size_t line, const std::vector<std::size_t>& shown) {
    std::string text = "|";
    for (const std::size_t i : shown) {
      const std::string& cell = table.lines[line].cells[i];
      // Only text has the spaces that align parts of a cell.
      const std::string said = table.keys > 0 ? units::wrapped(cell, kAnyWidth).front() : cell;
      text += " " + (table.columns[i].is_code ? markdown_code(said) : escape_markdown(said)) + " |";
    }
    return text + "\n";
  }

  static std::string group(const Table::Line& line, const std::vector<std::size_t>& shown) {
    std::string text = "| **" + escape_markdown(line.cells[0]) + "** " + escape_markdown(line.cells[1]) + " |";
    for (std::size_t k = 1; k < shown.size(); ++k) text += " |";
    return text + "\n";
  }

  // Three quarters of what is left, where more tables follow; the last leaves enough for the words behind it.
  std::size_t room() const {
    if (longest_ == kAnyWidth) return kAnyWidth - text_.size();
    constexpr std::size_t kWordsBehind = 2'000;
    const std::size_t left = longest_ - std::min(longest_, text_.size() + kWordsBehind);
    return tables_left_ > 0 ? left * 3 / 4 : left;
  }

  void gap() {
    if (!text_.empty()) text_ += "\n";
    in_list_ = false;
  }

  void paragraph(const std::string& markdown) {
    gap();
    text_ += markdown + "\n";
  }

  const std::size_t longest_;
  std::size_t tables_left_;
  std::string text_;
  bool in_list_ = false;
};

}  // namespace

std::string as_markdown(const Page& page, std::size_t longest) {
  MarkdownPage markdown(longest, tables_in(page.blocks));
  markdown.add(page.blocks);
  return markdown.take();
}

}  // namespace cupel::report
