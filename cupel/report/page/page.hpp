// A page of headings, paragraphs, lists and tables, for a terminal or as Markdown. What is added is escaped here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// Lines and tables by themselves, for a terminal of that width or as Markdown.
struct Surface {
  bool markdown = false;
  std::size_t columns = Table::kAnyWidth;
  Badges badges = {};  ///< of the terminal

  std::string table(const Table& table) const;

  /// A sentence of ours, which in Markdown stands as it is.
  std::string sentence(const std::string& text) const;

  /// What others wrote, too; in Markdown an item of a list.
  std::string item(const std::string& text) const;
};

class Page {
 public:
  /// width: of the text.
  Page(bool markdown, std::size_t width) : markdown_(markdown), width_(width) {}

  bool markdown() const { return markdown_; }

  /// level 1 is the page's title, 2 a section's, 3 a part's.
  void heading(const std::string& title, int level = 2);
  void paragraph(const std::string& text);
  void bullet(const std::string& text);

  /// Labels beside texts, aligned; without those whose text is empty.
  void fields(const std::vector<std::pair<std::string, std::string>>& labelled);

  /// With a gap before it, except below a heading of a text.
  void table(const Table& table);

  const std::string& text() const { return text_; }

 private:
  void gap();
  void add_wrapped(const std::string& text, const std::string& first, const std::string& rest);

  bool markdown_;
  std::size_t width_;
  bool in_list_ = false;
  bool after_heading_ = false;
  std::string text_;
};

}  // namespace cupel::report
