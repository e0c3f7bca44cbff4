#include "cupel/units/parse.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "cupel/units/letters.hpp"

namespace cupel::units {
namespace {

struct Suffix {
  std::string_view name;
  double factor;
};

constexpr std::array kDurations{
    Suffix{"ns", 1e-9}, Suffix{"us", 1e-6}, Suffix{"ms", 1e-3}, Suffix{"s", 1},     Suffix{"sec", 1},
    Suffix{"m", 60},    Suffix{"min", 60},  Suffix{"h", 3600},  Suffix{"d", 86400},
};

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<double> factor_of(std::string_view name) {
  std::string lowered;
  for (const char c : name) lowered += lower(c);
  for (const Suffix& suffix : kDurations) {
    if (suffix.name == lowered) return suffix.factor;
  }
  return std::nullopt;
}

void skip_spaces(std::string_view& rest) { rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size())); }

// A plain decimal number: digits, at most one point, no sign, no exponent.
std::optional<double> take_number(std::string_view& rest) {
  std::size_t length = 0;
  while (length < rest.size() && (is_digit(rest[length]) || rest[length] == '.')) ++length;
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + length, value, std::chars_format::fixed);
  if (length == 0 || error != std::errc() || end != rest.data() + length) return std::nullopt;
  rest.remove_prefix(length);
  return value;
}

std::string_view take_letters(std::string_view& rest) {
  std::size_t length = 0;
  while (length < rest.size() && is_letter(rest[length])) ++length;
  const std::string_view letters = rest.substr(0, length);
  rest.remove_prefix(length);
  return letters;
}

[[noreturn]] void refuse(std::string_view text) {
  throw std::invalid_argument("'" + std::string(text) +
                              "' is not a duration; write for example 90s, 5m, 1h30m or 250ms");
}

}  // namespace

double parse_duration(std::string_view text) {
  std::string_view rest = text;
  skip_spaces(rest);
  double seconds = 0;
  bool bare = false;
  do {
    const std::optional<double> number = take_number(rest);
    skip_spaces(rest);
    const std::string_view name = take_letters(rest);
    skip_spaces(rest);
    // A number without a unit is seconds, if it stands alone: "1h30" could mean either.
    if (bare || (name.empty() && seconds != 0)) refuse(text);
    bare = name.empty();
    const std::optional<double> factor = bare ? 1.0 : factor_of(name);
    if (!number || !factor) refuse(text);
    seconds += *number * *factor;
  } while (!rest.empty());
  if (!std::isfinite(seconds)) refuse(text);
  return seconds;
}

std::vector<std::string> split(std::string_view text, char between) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(between, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<double> finite_number(std::string_view text) {
  const std::optional<double> value = number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool all_numbers(const std::vector<std::string>& texts) {
  return std::ranges::all_of(texts, [](const std::string& text) { return finite_number(text).has_value(); });
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [&](std::size_t at, std::size_t digits) {
    return units::number<int>(text.substr(at, digits)).value_or(-1);
  };
  const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1) return false;
  constexpr std::array kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= kDays[static_cast<std::size_t>(month - 1)] + (leap && month == 2 ? 1 : 0);
}

std::size_t parameter_colon(std::string_view part) {
  const std::size_t colon = part.find(':');
  const bool is_scope = colon != part.npos && part.substr(colon).starts_with("::");
  return colon == 0 || is_scope ? part.npos : colon;
}

std::vector<std::pair<std::string, std::string>> parameters_of(std::string_view name) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const std::string& part : split(name, '/')) {
    const std::size_t colon = parameter_colon(part);
    if (colon != part.npos) parameters.emplace_back(part.substr(0, colon), part.substr(colon + 1));
  }
  return parameters;
}

}  // namespace cupel::units
