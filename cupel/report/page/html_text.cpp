#include "cupel/report/page/html_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "cupel/report/page/escape.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report::html {
namespace {

constexpr std::size_t kFits = 16;     // where a line is broken there is room for so many characters
constexpr std::size_t kLongest = 36;  // characters that fit the narrowest window

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool separates(char c) { return c == '/' || c == ':'; }

// Ends a part behind each character i for which ends(i, length of the part so far), unless digits are around it.
template <class Ends>
std::vector<std::string> cut(std::string_view word, Ends ends) {
  std::vector<std::string> parts{std::string(word.substr(0, 1))};
  for (std::size_t i = 1; i < word.size(); ++i) {
    parts.back() += word[i];
    const bool is_inside = i + 1 < word.size() && !(is_digit(word[i - 1]) && is_digit(word[i + 1]));
    if (is_inside && ends(i, parts.back().size())) parts.emplace_back();
  }
  return parts;
}

// word: escaped, so that a quotation mark begins with "&".
std::vector<std::string> parts_of(std::string_view word) {
  return cut(word, [=](std::size_t i, std::size_t) {
    const char next = word[i + 1];
    if (word[i] == '(' || word[i] == '=') return is_letter(next) || next == '&';
    return separates(word[i]) && !separates(next);
  });
}

// Keeps "reduce-overhead" and "torch.ao.quantization.fuse_modules" in one line. Settings, "k2=20_k13=0", and what has
// no room are broken behind underscores.
std::string lines_of(const std::string& part) {
  const bool has_settings = std::ranges::count(part, '=') > 1;
  if (part.size() > kLongest || has_settings) {
    return units::joined(
        cut(part, [&](std::size_t i, std::size_t length) { return part[i] == '_' && length >= kFits; }), "<wbr>");
  }
  const bool is_kept = part.find('-') != part.npos || (part.size() > kFits && part.find('_') != part.npos);
  return is_kept ? "<span class=\"kept\">" + part + "</span>" : part;
}

}  // namespace

std::string without_trailing_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

std::string safe(std::string_view raw, std::size_t longest) {
  return escape_html(units::shorten(units::visible(raw), longest));
}

std::string breakable(std::string_view raw, std::size_t longest) {
  std::vector<std::string> words = units::split(safe(raw, longest), ' ');
  for (std::string& word : words) {
    if (word.size() <= kFits || word.find_first_of("/:=(_") == word.npos) continue;
    word = units::joined(parts_of(word) | std::views::transform(lines_of), "<wbr>");
  }
  return units::joined(words, " ") + (raw.ends_with(' ') ? " " : "");
}

std::string safe_lines(const std::vector<std::string>& lines) {
  return units::joined(lines | std::views::transform([](const std::string& line) { return safe(line, kSentence); }),
                       "\n");
}

std::string coordinate(double value) {
  if (!std::isfinite(value)) return "0";
  const std::string text = without_trailing_zeros(fmt::format("{:.2f}", value));
  return text == "-0" ? "0" : text;
}

std::string plain(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "0"; }

std::string slug(std::string_view raw) {
  constexpr std::size_t kLongest = 40;
  const std::string slug = units::slug(raw).substr(0, kLongest);
  return slug.empty() ? "x" : slug;
}

std::string tick_text(double value, units::Unit unit) {
  const units::Scale scale = units::scale_for(value, unit);
  const std::string digits = without_trailing_zeros(units::format_significant(value / scale.factor, 3));
  return scale.suffix.empty() ? digits : digits + " " + std::string(scale.suffix);
}

}  // namespace cupel::report::html
