#include "cupel/report/page/escape.hpp"

#include <algorithm>

#include "cupel/units/utf8.hpp"

namespace cupel::report {

using units::replaced, units::Replacement;

namespace {

const std::initializer_list<Replacement> kEntities = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};

// An HTML comment between a sign and what follows keeps GitHub and GitLab from making a mention, a reference or a link
// of them; an entity or a backslash does not.
const std::initializer_list<Replacement> kMarkdown = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'@', "@<!-- -->"}, {'#', "\\#<!-- -->"},
    {'\\', "\\\\"}, {'`', "\\`"},  {'*', "\\*"},  {'_', "\\_"},       {'|', "\\|"},
    {'[', "\\["},   {']', "\\]"},  {'~', "\\~"},  {'$', "\\$"}};

std::size_t longest_run(std::string_view text, char wanted) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// A comment between the two wherever they meet. Linear: the text is built anew.
void break_after(std::string& text, std::string_view first, std::string_view second) {
  const std::string both = std::string(first) + std::string(second);
  std::size_t from = 0, at = text.find(both);
  if (at == std::string::npos) return;
  std::string out;
  for (; at != std::string::npos; at = text.find(both, from)) {
    out.append(text, from, at + first.size() - from).append("<!-- -->");
    from = at + first.size();
  }
  text = out.append(text, from);
}

// Where a line begins, a sign or a number before a blank makes a list, and a line of one sign alone a heading or a
// rule.
// ('#' and '>' are escaped anywhere.)
std::string without_block_markup(std::string markdown) {
  const auto ends_word = [&](std::size_t at) { return at >= markdown.size() || markdown[at] == ' '; };
  const std::size_t digits = std::min(markdown.find_first_not_of("0123456789"), markdown.size());
  const bool is_number = digits > 0 && digits < markdown.size() && (markdown[digits] == '.' || markdown[digits] == ')');
  if (is_number && ends_word(digits + 1)) return markdown.insert(digits, "\\");
  if (markdown.empty() || std::string_view("-+=").find(markdown[0]) == std::string_view::npos) return markdown;
  if (ends_word(markdown.find_first_not_of(markdown[0]))) markdown.insert(0, "\\");
  return markdown;
}

}  // namespace

std::string escape_markdown(std::string_view text) {
  std::string out = replaced(units::visible(text), kMarkdown);
  break_after(out, ":", "//");
  break_after(out, "www", ".");
  return without_block_markup(std::move(out));
}

std::string markdown_code(std::string_view text) {
  const std::string shown = units::visible(text);
  if (shown.empty()) return "";
  const std::string fence(longest_run(shown, '`') + 1, '`');
  const std::string inside = replaced(shown, {{'|', "\\|"}});
  const bool pad = shown.front() == '`' || shown.back() == '`' || (shown.front() == ' ' && shown.back() == ' ');
  const char* space = pad ? " " : "";
  return fence + space + inside + space + fence;
}

std::string escape_html(std::string_view text) { return replaced(units::visible(text), kEntities); }

}  // namespace cupel::report
