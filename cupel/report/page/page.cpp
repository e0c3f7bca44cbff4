#include "cupel/report/page/page.hpp"

#include <algorithm>

#include "cupel/report/page/escape.hpp"
#include "cupel/report/page/wrap.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {

std::string Surface::table(const Table& table) const {
  return markdown ? table.markdown() : table.text(columns, badges);
}

std::string Surface::sentence(const std::string& text) const { return (markdown ? text : wrap(text, columns)) + "\n"; }

std::string Surface::item(const std::string& text) const {
  return markdown ? "- " + escape_markdown(text) + "\n" : wrap(units::visible(text), columns) + "\n";
}

void Page::gap() {
  if (!text_.empty()) text_ += "\n";
}

void Page::add_wrapped(const std::string& text, const std::string& first, const std::string& rest) {
  after_heading_ = false;
  const std::vector<std::string> lines = wrapped(units::visible(text), width_ - std::min(width_, display_width(rest)));
  for (std::size_t i = 0; i < lines.size(); ++i) text_ += (i == 0 ? first : rest) + lines[i] + "\n";
}

void Page::heading(const std::string& title, int level) {
  gap();
  in_list_ = false;
  if (markdown_) {
    text_ += std::string(static_cast<std::size_t>(level), '#') + " " + escape_markdown(title) + "\n";
    return;
  }
  add_wrapped(title, "", "");
  after_heading_ = true;
  if (level <= 2)
    text_ += std::string(std::min(display_width(units::visible(title)), width_), level == 1 ? '=' : '-') + "\n";
}

void Page::paragraph(const std::string& text) {
  gap();
  in_list_ = false;
  if (markdown_) {
    text_ += escape_markdown(text) + "\n";
  } else {
    add_wrapped(text, "", "");
  }
}

void Page::bullet(const std::string& text) {
  if (markdown_ && !in_list_) gap();
  in_list_ = true;
  if (markdown_) {
    text_ += "- " + escape_markdown(text) + "\n";
  } else {
    add_wrapped(text, "- ", "  ");
  }
}

void Page::fields(const std::vector<std::pair<std::string, std::string>>& labelled) {
  std::size_t width = 0;
  for (const auto& [label, text] : labelled) {
    if (!text.empty()) width = std::max(width, display_width(label));
  }
  if (markdown_) gap();
  for (const auto& [label, text] : labelled) {
    if (text.empty()) continue;
    if (markdown_) {
      text_ += "- **" + escape_markdown(label) + "**: " + escape_markdown(text) + "\n";
    } else {
      const std::string space(width - display_width(label) + 2, ' ');
      add_wrapped(text, "  " + label + space, std::string(width + 4, ' '));
    }
  }
  in_list_ = markdown_;
}

void Page::table(const Table& table) {
  if (table.empty()) return;
  if (markdown_ || !after_heading_) gap();
  in_list_ = false;
  text_ += markdown_ ? table.markdown() : table.text(width_);
  after_heading_ = false;
}

}  // namespace cupel::report
