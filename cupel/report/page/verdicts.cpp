#include "cupel/report/page/verdicts.hpp"

#include <algorithm>
#include <cctype>

#include "cupel/units/colour.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

constexpr char kKeptSpace = '\x1f';  // one column wide, and no character of a text that can be printed

// Part of a word or of a name, as of a benchmark or an option.
bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == ':' || c == '/';
}

// The longest of the words that stand at that place by themselves.
Badges::const_iterator badge_at(std::string_view line, std::size_t at, const Badges& badges) {
  auto longest = badges.end();
  if (at > 0 && is_of_word(line[at - 1])) return longest;
  for (auto one = badges.begin(); one != badges.end(); ++one) {
    const std::string& words = one->first;
    if (words.empty() || !line.substr(at).starts_with(words)) continue;
    const std::size_t end = at + words.size();
    const std::string_view behind = line.substr(end);
    const bool is_end = behind.empty() || !is_of_word(behind.front()) || behind == ":" || behind.starts_with(": ");
    if (is_end && (longest == badges.end() || words.size() > longest->first.size())) longest = one;
  }
  return longest;
}

}  // namespace

std::string in_colour(std::string_view words, Badge badge) {
  if (badge == Badge::quiet) return std::string(words);
  using enum units::Colour;
  return units::in_colour(words, badge == Badge::good ? green : badge == Badge::warn ? yellow : red);
}

std::vector<VerdictPart> verdict_parts(std::string_view line, const Badges& badges) {
  std::vector<VerdictPart> parts;
  std::size_t plain = 0;  // where what has no badge begins
  const auto end_plain = [&](std::size_t end) {
    if (end > plain) parts.push_back({line.substr(plain, end - plain), std::nullopt});
  };
  for (std::size_t at = 0; at < line.size();) {
    const auto badge = badge_at(line, at, badges);
    if (badge == badges.end()) {
      ++at;
      continue;
    }
    end_plain(at);
    parts.push_back({line.substr(at, badge->first.size()), badge->second});
    plain = at += badge->first.size();
  }
  end_plain(line.size());
  return parts;
}

std::string with_verdicts(std::string_view line, const Badges& badges) {
  std::string text;
  for (const auto& [words, badge] : verdict_parts(line, badges))
    text += badge ? in_colour(words, *badge) : std::string(words);
  return text;
}

std::string with_kept_verdicts(std::string_view text, const Badges& badges, std::size_t width) {
  std::string kept;
  for (const auto& [words, badge] : verdict_parts(text, badges)) {
    kept += words;
    const auto begin = kept.end() - std::ssize(words);
    if (badge && units::display_width(words) <= width) std::replace(begin, kept.end(), ' ', kKeptSpace);
  }
  return kept;
}

std::string without_kept_verdicts(std::string text) {
  std::ranges::replace(text, kKeptSpace, ' ');
  return text;
}

}  // namespace cupel::report
