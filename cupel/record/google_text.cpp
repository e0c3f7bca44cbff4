#include "cupel/record/google_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cupel/units/printable.hpp"

namespace cupel::record::detail {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Locales put these between the digits of a number: among others a no-break space, a narrow one, and what is left of
// either where a library wrote its first byte alone.
constexpr std::array<std::string_view, 8> kMarks = {",", ".", "'", " ", "\u2019", "\u00a0", "\u202f", "\ufffd"};

// The mark that the text begins with; empty where it begins with none.
std::string_view mark_at(std::string_view text) {
  const auto found = std::ranges::find_if(kMarks, [&](std::string_view mark) { return text.starts_with(mark); });
  return found == kMarks.end() ? std::string_view() : *found;
}

// The fields that Google Benchmark writes as whole numbers. Any other number that has a fraction has an exponent too,
// but for the load averages, which nobody reads.
bool is_whole(std::string_view key) {
  constexpr std::array<std::string_view, 12> kWhole = {
      "num_cpus",    "mhz_per_cpu",      "size",    "level",      "num_sharing",  "json_schema_version",
      "repetitions", "repetition_index", "threads", "iterations", "family_index", "per_family_instance_index"};
  return std::ranges::find(kWhole, key) != kWhole.end();
}

class Repair {
 public:
  explicit Repair(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string run() {
    while (more()) {
      if (text_[at_] == '"') {
        copy_string();
      } else if (is_letter(text_[at_]) || (text_[at_] == '-' && more(1) && is_letter(text_[at_ + 1]))) {
        copy_word();
      } else if (after_colon_ && (is_digit(text_[at_]) || text_[at_] == '-')) {
        copy_number();
      } else {
        after_colon_ = text_[at_] == ':' || (after_colon_ && is_space(text_[at_]));
        out_ += text_[at_++];
      }
    }
    return std::move(out_);
  }

 private:
  bool more(std::size_t ahead = 0) const { return at_ + ahead < text_.size(); }

  void copy_character() {
    out_ += static_cast<unsigned char>(text_[at_]) < 0x20 ? ' ' : text_[at_];
    ++at_;
  }

  void copy_string() {
    after_colon_ = false;
    out_ += text_[at_++];
    const std::size_t begin = at_;
    while (more() && text_[at_] != '"') {
      if (text_[at_] == '\\' && more(1)) copy_character();
      copy_character();
    }
    last_string_ = text_.substr(begin, at_ - begin);
    if (more()) out_ += text_[at_++];
  }

  void copy_word() {
    after_colon_ = false;
    const std::size_t start = at_++;
    while (more() && is_letter(text_[at_])) {
      ++at_;
    }
    if (!more()) {
      return;  // the file was cut short, perhaps in this word
    }
    const std::string_view word = text_.substr(start, at_ - start);
    out_ += is_not_finite(word) ? "null" : word;
  }

  static bool is_not_finite(std::string_view word) {
    std::string lower(word.substr(word.front() == '-' ? 1 : 0));
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    return lower == "nan" || lower == "inf" || lower == "infinity";
  }

  // In an object, a mark between two digits is no comma of JSON: a key would follow it. It groups the digits of a
  // whole number, or marks the decimals.
  void copy_number() {
    after_colon_ = false;
    std::string digits;  // with '.' for each mark
    std::string_view first, last;
    while (more()) {
      const std::string_view mark = mark_at(text_.substr(at_));
      if (is_digit(text_[at_]) || std::string_view("+-eE").find(text_[at_]) != std::string_view::npos) {
        digits += text_[at_++];
      } else if (!mark.empty() && more(mark.size()) && is_digit(text_[at_ + mark.size()])) {
        last = mark;
        if (first.empty()) first = mark;
        digits += '.';
        at_ += mark.size();
      } else {
        break;
      }
    }
    const std::size_t decimals = has_decimals(digits, first, last) ? digits.rfind('.') : std::string::npos;
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (digits[i] != '.' || i == decimals) out_ += digits[i];
    }
  }

  // Tells whether the digits behind the last mark are decimals. first, last: the marks of the number, empty where it
  // has none.
  bool has_decimals(const std::string& digits, std::string_view first, std::string_view last) const {
    if (first != last) return true;  // "1.234,5"
    const bool has_exponent = digits.find_first_of("eE") != std::string::npos;
    const bool is_one = std::ranges::count(digits, '.') == 1;
    return is_one && (has_exponent || (first == "." && !is_whole(last_string_)));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool after_colon_ = false;  // a member's value comes next
  std::string_view last_string_;
  std::string out_;
};

}  // namespace

std::string repaired(std::string_view text) { return Repair(units::to_utf8(text)).run(); }

std::string_view wide_encoding(std::string_view text) {
  using std::string_view_literals::operator""sv;
  constexpr std::string_view kUtf16 = "UTF-16", kUtf32 = "UTF-32";
  // A byte order mark; that of UTF-32 begins as that of UTF-16, behind which no JSON has a zero.
  if (text.starts_with("\xff\xfe\0\0"sv) || text.starts_with("\0\0\xfe\xff"sv)) return kUtf32;
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return kUtf16;
  // JSON begins with a character of ASCII, of which one byte of two is zero, or three of four.
  const std::string_view first = text.substr(0, 4);
  const auto zeros = std::ranges::count(first, '\0');
  if (first.size() == 4 && zeros == 3 && (first.front() != '\0') != (first.back() != '\0')) return kUtf32;
  return text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0') ? kUtf16 : "";
}

}  // namespace cupel::record::detail
