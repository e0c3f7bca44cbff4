// Pages for a terminal.
#include <algorithm>

#include "cupel/report/page/render.hpp"
#include "cupel/report/page/verdicts.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::report {
namespace {

class TextPage {
 public:
  explicit TextPage(const Terminal& terminal) : terminal_(terminal) {}

  void add(const Blocks& blocks) {
    for (const Block& block : blocks) {
      const std::size_t before = text_.size();
      std::visit([&](const auto& one) { add(one); }, static_cast<const Block::variant&>(block));
      if (text_.size() == before) continue;
      const auto* heading = std::get_if<Heading>(&block);
      after_heading_ = heading != nullptr;
      const auto* folded = std::get_if<Folded>(&block);
      after_table_ = std::holds_alternative<Table>(block) || (folded != nullptr && !folded->instead.empty());
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void add(const Heading& heading) {
    if (heading.html_only) return;
    gap();
    lines(heading.title, "", "");
    if (heading.level > 2) return;
    const std::size_t width = std::min(units::display_width(units::visible(heading.title)), terminal_.columns);
    text_ += std::string(width, heading.level == 1 ? '=' : '-') + "\n";
  }

  void add(const Paragraph& paragraph) {
    gap();
    lines(paragraph.text, "", "", paragraph.badges);
  }

  void add(const List& list) {
    if (!list.has_bullets && !list.items.empty() && !after_heading_) gap();
    for (const std::string& item : list.items)
      list.has_bullets ? lines(item, "- ", "  ", list.badges) : line(item, list.badges);
  }

  void add(const Fields& fields) {
    if (fields.is_flush && !after_heading_) gap();
    constexpr std::size_t kGap = 2, kIndent = 2, kLeastFlush = 7;
    std::size_t width = fields.is_flush ? kLeastFlush : 0;
    for (const auto& [label, text] : fields.labelled) {
      if (!text.empty()) width = std::max(width, units::display_width(units::visible(label)));
    }
    const std::string indent(fields.is_flush ? 0 : kIndent, ' ');
    for (const auto& [label, text] : fields.labelled) {
      if (text.empty()) continue;
      const std::string first = indent + units::visible(label);
      const bool is_verdict = units::contains(fields.verdicts, label);
      lines(text, marked(units::padded(first, indent.size() + width + kGap, false), fields.badges),
            std::string(indent.size() + width + kGap, ' '), is_verdict ? fields.badges : Badges());
    }
  }

  void add(const Table& table) {
    if (table.empty() && table.instead.empty()) return;
    if (!after_heading_) gap();
    text_ += as_text(table, terminal_);
  }

  void add(const Folded& folded) {
    if (folded.instead.empty()) return add(folded.inside);
    if (!after_table_) gap();
    line(folded.instead);
  }

  void add(const Either& either) { add(either.below); }

  void add(const PictureAndWords& both) {
    add(both.words);
    add(both.picture);
  }

  void add(const Chart& chart) { add(table_of(chart)); }

  void gap() {
    if (!text_.empty()) text_ += "\n";
  }

  std::string marked(const std::string& text, const Badges& badges) const {
    return terminal_.colour ? with_verdicts(text, badges) : text;
  }

  void line(const std::string& text, const Badges& badges = {}) {
    const std::string kept = with_kept_verdicts(units::visible(text), badges, terminal_.columns);
    text_ += marked(without_kept_verdicts(units::wrap(kept, terminal_.columns)), badges) + "\n";
  }

  void lines(const std::string& text, const std::string& first, const std::string& rest, const Badges& badges = {}) {
    const std::size_t width = terminal_.columns - std::min(terminal_.columns, units::display_width(rest));
    std::string before = first;
    for (const std::string& one : units::wrapped(with_kept_verdicts(units::visible(text), badges, width), width)) {
      text_ += before + marked(without_kept_verdicts(one), badges) + "\n";
      before = rest;
    }
  }

  const Terminal& terminal_;
  std::string text_;
  bool after_heading_ = false, after_table_ = false;
};

}  // namespace

std::string as_text(const Page& page, const Terminal& terminal) {
  TextPage text(terminal);
  text.add(page.blocks);
  return text.take();
}

std::string rendered(const Page& page, Format format, const Terminal& terminal) {
  if (format == Format::html) return as_html(page);
  return format == Format::markdown ? as_markdown(page) : as_text(page, terminal);
}

}  // namespace cupel::report
