#include "cupel/report/page/html_text.hpp"

#include <fmt/core.h>

#include <cmath>

#include "cupel/report/page/escape.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report::html {
namespace {

// Keeps "reduce-overhead" in one line, which is a part of a name or of code: browsers would break it behind the hyphen.
std::string unbroken(const std::string& part) {
  constexpr std::size_t kLongest = 36;  // fits the narrowest window
  const bool is_kept = part.size() <= kLongest && part.find('-') != part.npos;
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
  constexpr std::size_t kFits = 16;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto separates = [](char c) { return c == '/' || c == ':'; };
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::vector<std::string> words = units::split(safe(raw, longest), ' ');
  for (std::string& word : words) {
    if (word.size() <= kFits || word.find_first_of("/:=(_") == word.npos) continue;
    std::vector<std::string> parts{std::string(1, word.front())};
    for (std::size_t i = 1; i < word.size(); ++i) {
      parts.back() += word[i];
      if (i + 1 == word.size() || separates(word[i + 1]) || (is_digit(word[i - 1]) && is_digit(word[i + 1]))) continue;
      const bool is_in_code = (word[i] == '(' || word[i] == '=') && is_letter(word[i + 1]);
      if (!separates(word[i]) && !is_in_code && !(word[i] == '_' && parts.back().size() >= kFits)) continue;
      parts.emplace_back();
    }
    word = units::joined(parts | std::views::transform(unbroken), "<wbr>");
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
