#include "cupel/record/scan.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "cupel/record/text.hpp"

namespace cupel::record::detail {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

// The four hexadecimal digits of \uXXXX.
std::optional<std::uint32_t> hex4(std::string_view digits) {
  std::uint32_t code = 0;
  if (digits.size() < 4) {
    return std::nullopt;
  }
  const auto [last, error] = std::from_chars(digits.data(), digits.data() + 4, code, 16);
  return error == std::errc{} && last == digits.data() + 4 ? std::optional(code) : std::nullopt;
}

// What \x stands for, where that is one character; 0 for no such escape.
char simple_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

// One \uXXXX, or two of them that are one code point. Takes them off `rest`, which begins behind the first \u.
bool append_code_point(std::string& out, std::string_view& rest) {
  const std::optional<std::uint32_t> first = hex4(rest);
  if (!first || (*first >= 0xdc00 && *first <= 0xdfff)) {
    return false;
  }
  rest.remove_prefix(4);
  if (*first < 0xd800 || *first > 0xdbff) {
    append_utf8(out, *first);
    return true;
  }
  const std::optional<std::uint32_t> second = rest.starts_with("\\u") ? hex4(rest.substr(2)) : std::nullopt;
  if (!second || *second < 0xdc00 || *second > 0xdfff) {
    return false;
  }
  rest.remove_prefix(6);
  append_utf8(out, 0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00));
  return true;
}

// The text between the quotes of a string that has escapes. False: an escape that there is not.
bool unescape(std::string_view raw, std::string& out) {
  out.clear();
  while (!raw.empty()) {
    const std::size_t plain = std::min(raw.find('\\'), raw.size());
    out.append(raw.substr(0, plain));
    raw.remove_prefix(plain);
    if (raw.empty()) {
      break;
    }
    const char kind = raw[1];  // the quote was found, so something stands behind the backslash
    raw.remove_prefix(2);
    if (const char character = simple_escape(kind)) {
      out += character;
    } else if (kind != 'u' || !append_code_point(out, raw)) {
      return false;
    }
  }
  return true;
}

// Whether a number that from_chars() calls out of range is too large rather than too small: the power of ten of its
// first digit that is not 0.
bool is_too_large(std::string_view number) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  long exponent = 0;
  if (e < number.size()) {
    const std::string_view digits = number.substr(e + 1);
    const bool negative = digits.front() == '-';
    for (const char c : digits) {
      if (is_digit(c)) {
        exponent = std::min(exponent * 10 + (c - '0'), 1'000'000'000L);
      }
    }
    exponent = negative ? -exponent : exponent;
  }
  const std::string_view mantissa = number.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  return first != std::string_view::npos && exponent + static_cast<long>(point) - static_cast<long>(first) > 0;
}

class Scanner {
 public:
  Scanner(Text& text, Events& events) : text_(text), events_(events) {}

  void document() {
    skip_mark();
    if (value() && text_.skip_space()) {
      error("nothing may follow the value");
    }
  }

 private:
  bool error(const std::string& what) { return error_at(text_.at, what); }

  bool error_at(const char* where, const std::string& what) {
    return events_.error("parse error at " + text_.place(where) + ": " + what, where == text_.end);
  }

  // At least `count` characters in memory, if the text has them.
  bool have(std::ptrdiff_t count) {
    while (text_.end - text_.at < count) {
      if (!text_.more()) {
        return false;
      }
    }
    return true;
  }

  void skip_mark() {
    if (have(3) && std::memcmp(text_.at, "\xef\xbb\xbf", 3) == 0) {
      text_.at += 3;
    }
  }

  bool value() {
    if (!text_.skip_space()) {
      return error("the text ends where a value is due");
    }
    switch (*text_.at) {
      case '{':
        return object();
      case '[':
        return array();
      case '"':
        return string() && events_.string(string_);
      case 't':
        return literal("true") && events_.boolean(true);
      case 'f':
        return literal("false") && events_.boolean(false);
      case 'n':
        return literal("null") && events_.null();
      default:
        return is_digit(*text_.at) || *text_.at == '-' ? number() : error("a value is due");
    }
  }

  bool literal(std::string_view word) {
    const bool whole = have(static_cast<std::ptrdiff_t>(word.size()));
    const std::string_view there(text_.at, std::min(word.size(), static_cast<std::size_t>(text_.end - text_.at)));
    if (there != word) {
      const bool cut = !whole && word.starts_with(there);
      return error_at(cut ? text_.end : text_.at, "a value is due");
    }
    text_.at += word.size();
    return true;
  }

  // ',' or `last` behind an element; says whether there is another. Nothing on an error.
  std::optional<bool> another(char last) {
    if (text_.skip_space() && (*text_.at == ',' || *text_.at == last)) {
      return *text_.at++ == ',';
    }
    error(std::string("',' or '") + last + "' is due");
    return std::nullopt;
  }

  // An empty list or object, whose opening has been read: true when it is closed at once.
  bool closes(char last) {
    if (!text_.skip_space() || *text_.at != last) {
      return false;
    }
    ++text_.at;
    return true;
  }

  bool object() {
    ++text_.at;
    if (!events_.start_object()) {
      return false;
    }
    if (closes('}')) {
      return events_.end_object();
    }
    while (true) {
      if (!member()) {
        return false;
      }
      const std::optional<bool> goes_on = another('}');
      if (!goes_on) {
        return false;
      }
      if (!*goes_on) {
        return events_.end_object();
      }
    }
  }

  bool member() {
    if (!text_.skip_space() || *text_.at != '"') {
      return error("a key in quotes is due");
    }
    if (!string() || !events_.key(string_)) {
      return false;
    }
    if (!text_.skip_space() || *text_.at != ':') {
      return error("':' is due");
    }
    ++text_.at;
    return value();
  }

  bool array() {
    ++text_.at;
    if (!events_.start_array()) {
      return false;
    }
    if (closes(']')) {
      return events_.end_array();
    }
    while (true) {
      if (!value()) {
        return false;
      }
      const std::optional<bool> goes_on = another(']');
      if (!goes_on) {
        return false;
      }
      if (!*goes_on) {
        return events_.end_array();
      }
    }
  }

  // Into string_. The whole string is brought into memory first.
  bool string() {
    const std::ptrdiff_t closing = closing_quote();
    if (closing < 0) {
      return false;
    }
    const std::string_view raw(text_.at + 1, static_cast<std::size_t>(closing - 1));
    if (!escapes_) {
      string_.assign(raw);
    } else if (!unescape(raw, string_)) {
      return error("a string has an escape that there is not");
    }
    if (beyond_ascii_ && !is_utf8(string_)) {
      return error("a string is not UTF-8");
    }
    text_.at += closing + 1;
    return true;
  }

  // Its distance from the opening one, or -1 after an error.
  std::ptrdiff_t closing_quote() {
    escapes_ = beyond_ascii_ = false;
    std::ptrdiff_t i = 1;
    while (true) {
      if (i >= text_.end - text_.at && !have(i + 1)) {
        error_at(text_.end, "a string without an end");
        return -1;
      }
      const auto c = static_cast<unsigned char>(text_.at[i]);
      if (c == '"') {
        return i;
      }
      if (c < 0x20) {
        error_at(text_.at + i, "a control character in a string");
        return -1;
      }
      escapes_ = escapes_ || c == '\\';
      beyond_ascii_ = beyond_ascii_ || c >= 0x80;
      i += c == '\\' ? 2 : 1;
    }
  }

  // The character `i` behind the place of reading, or 0 at the end of the text.
  char peek(std::ptrdiff_t i) { return i < text_.end - text_.at || have(i + 1) ? text_.at[i] : '\0'; }

  std::ptrdiff_t digits(std::ptrdiff_t from) {
    while (is_digit(peek(from))) {
      ++from;
    }
    return from;
  }

  // Where digits must stand and do not.
  bool digit_due(std::ptrdiff_t i) {
    have(i + 1);
    return error_at(std::min(text_.at + i, text_.end), "a digit is due");
  }

  bool number() {
    std::ptrdiff_t i = peek(0) == '-' ? 1 : 0;
    if (!is_digit(peek(i))) {
      return digit_due(i);
    }
    i = peek(i) == '0' ? i + 1 : digits(i);
    bool whole = true;
    if (peek(i) == '.') {
      whole = false;
      if (!is_digit(peek(i + 1))) {
        return digit_due(i + 1);
      }
      i = digits(i + 1);
    }
    if (const char e = peek(i); e == 'e' || e == 'E') {
      whole = false;
      const char sign = peek(i + 1);
      const std::ptrdiff_t first = sign == '+' || sign == '-' ? i + 2 : i + 1;
      if (!is_digit(peek(first))) {
        return digit_due(first);
      }
      i = digits(first);
    }
    const std::string_view token(text_.at, static_cast<std::size_t>(i));
    return whole ? integer(token) : real(token);
  }

  // One that is too large for an integer is a real.
  bool integer(std::string_view token) {
    const char* last = token.data() + token.size();
    std::int64_t value = 0;
    std::uint64_t large = 0;
    if (std::from_chars(token.data(), last, value).ec == std::errc{}) {
      text_.at += token.size();
      return events_.integer(value);
    }
    if (token.front() != '-' && std::from_chars(token.data(), last, large).ec == std::errc{}) {
      text_.at += token.size();
      return events_.large_integer(large);
    }
    return real(token);
  }

  bool real(std::string_view token) {
    double value = 0;
    const std::errc error_code = std::from_chars(token.data(), token.data() + token.size(), value).ec;
    if (error_code == std::errc::result_out_of_range) {
      if (is_too_large(token)) {
        return events_.error("number overflow parsing '" + std::string(token.substr(0, 40)) + "'", false);
      }
      value = token.front() == '-' ? -0.0 : 0.0;
    }
    text_.at += token.size();
    return events_.real(value);
  }

  Text& text_;
  Events& events_;
  std::string string_;
  bool escapes_ = false;
  bool beyond_ascii_ = false;
};

}  // namespace

Text::Text(Refill refill) : refill_(std::move(refill)), buffer_(kPiece, '\0') { begin_ = at = end = buffer_.data(); }

bool Text::more() {
  if (!refill_) {
    return false;
  }
  count_lines(at);
  const auto kept = static_cast<std::size_t>(end - at);
  std::string larger;
  if (kept > buffer_.size() / 2) {
    larger.resize(buffer_.size() * 2);
  }
  std::string& target = larger.empty() ? buffer_ : larger;
  std::memmove(target.data(), at, kept);
  if (!larger.empty()) {
    buffer_ = std::move(larger);
  }
  const std::size_t count = refill_(buffer_.data() + kept, buffer_.size() - kept);
  begin_ = at = buffer_.data();
  end = begin_ + kept + count;
  return count > 0;
}

bool Text::skip_space() {
  do {
    while (at != end && is_space(*at)) {
      ++at;
    }
  } while (at == end && more());
  return at != end;
}

void Text::count_lines(const char* until) {
  const char* from = begin_;
  while (const void* newline = std::memchr(from, '\n', static_cast<std::size_t>(until - from))) {
    from = static_cast<const char*>(newline) + 1;
    ++line_;
    line_started_ = 0;
  }
  line_started_ += static_cast<std::size_t>(until - from);
}

std::string Text::place(const char* where) const {
  const auto newlines = static_cast<std::size_t>(std::count(begin_, where, '\n'));
  const char* line = where;
  while (line != begin_ && line[-1] != '\n') {
    --line;
  }
  const std::size_t before = newlines == 0 ? line_started_ : 0;
  return "line " + std::to_string(line_ + newlines) + ", column " +
         std::to_string(before + static_cast<std::size_t>(where - line) + 1);
}

void scan(Text& text, Events& events) { Scanner(text, events).document(); }

}  // namespace cupel::record::detail
