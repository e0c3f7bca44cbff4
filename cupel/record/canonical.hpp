// Reads JSON in the form in which cupel writes it, straight from the text into structs by the lists of their fields:
// the fields in the order of the list, none of them unknown or null, text of printable ASCII without escapes. That
// takes a fifth of the time of a tree. Any other text does not fit, and is left to decode.hpp, which reads all JSON and
// says what is wrong with it. For the sources of this project; not for users of the library.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupel/record/decode.hpp"

namespace cupel::record::detail {

/// A place in a text, which moves on as its tokens are read. Once the text does not fit, nothing more is read.
class CanonicalText {
 public:
  explicit CanonicalText(std::string_view text) : rest_(text), size_(text.size()) {}
  CanonicalText(const CanonicalText&) = delete;
  CanonicalText& operator=(const CanonicalText&) = delete;

  bool fits() const { return fits_; }
  /// Returns whether the text may not fit because it ends too early: strings are read to the end, and no other token is
  /// that long.
  bool ran_out() const { return !fits_ && rest_.size() < kLongestToken; }
  /// Returns the number of bytes that were read.
  std::size_t taken() const { return size_ - rest_.size(); }
  void refuse() { fits_ = false; }

  /// Passes over blanks, and returns whether the text fits and has been read to its end.
  bool has_ended();
  /// Passes over blanks, and returns whether the character is next.
  bool is_next(char c) {
    pass_blanks();
    return fits_ && rest_.starts_with(c);
  }
  /// Passes over blanks and the character, if that is next; returns whether it is.
  bool takes(char c) {
    const bool is_there = is_next(c);
    if (is_there) rest_.remove_prefix(1);
    return is_there;
  }
  void expect(char c) {
    if (!takes(c)) refuse();
  }
  /// Passes over blanks and the word, if that is next; returns whether it is.
  bool takes_word(std::string_view word);
  /// Returns a string without its quotes.
  std::string_view string();
  /// Returns a number.
  double number();
  /// Returns a number without a fraction, an exponent or a sign as it is written; empty where none fits.
  std::string_view whole_number();

  /// Calls `element` for each element of a list, or, with other brackets, for each member of an object.
  void elements(char open, char close, const auto& element) {
    expect(open);
    if (takes(close)) return;
    do {
      element();
    } while (fits_ && takes(','));
    expect(close);
  }

  /// Takes the problems of checks; a problem is a text that does not fit.
  Reading& reading() { return reading_; }
  /// Returns numbers that nobody needs any more, for their memory.
  std::vector<double>& scratch() { return scratch_; }

 private:
  static constexpr std::size_t kLongestToken = 32;

  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

  void pass_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }

  std::string_view rest_;
  std::size_t size_;
  bool fits_ = true;
  Problems problems_{true};
  Reading reading_{.problems = problems_};
  std::vector<double> scratch_;
};

/// Decode a value into a target; one that its rule forbids does not fit.
void decode(CanonicalText&, bool&, Rule = {});
void decode(CanonicalText&, double&, Rule = {});
void decode(CanonicalText&, std::string&, Rule = {});
void decode(CanonicalText&, std::vector<double>&, Rule = {});
void decode(CanonicalText&, std::pair<std::string, std::string>&, Rule = {});

/// Decodes a count.
template <std::integral Count>
void decode(CanonicalText& text, Count& target, Rule rule = {}) {
  const std::string_view digits = text.whole_number();
  const bool is_read = std::from_chars(digits.data(), digits.data() + digits.size(), target).ec == std::errc();
  if (!is_read || (rule.only_value != 0 && std::cmp_not_equal(target, rule.only_value))) text.refuse();
}

template <Named E>
void decode(CanonicalText& text, E& target, Rule = {}) {
  const std::string_view said = text.string();
  constexpr auto names = names_of(E{});
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (said == names[i]) return void(target = static_cast<E>(i));
  }
  text.refuse();
}

template <typename T>
void decode(CanonicalText&, std::optional<T>&, Rule = {});
template <typename T>
void decode(CanonicalText&, std::vector<T>&, Rule = {});
template <typename T, typename Less>
void decode(CanonicalText&, std::map<std::string, T, Less>&, Rule = {});
template <typename Struct>
void decode(CanonicalText&, Struct&, Rule = {});

/// Reads the fields of one object: a visitor of its visit(), and finish() after it.
class CanonicalFields {
 public:
  explicit CanonicalFields(CanonicalText& text) : text_(text) {
    text_.expect('{');
    if (text_.takes('}')) {
      has_ended_ = true;
    } else {
      read_key();
    }
  }

  /// Reads the field if it is the next one.
  template <typename T>
  void operator()(std::string_view key, T& target, Rule rule = {}) {
    if (has_more() && key == key_) {
      decode(text_, target, rule);
      go_on();
    } else if (rule.required) {
      text_.refuse();
    }
  }

  bool has_more() const { return !has_ended_ && text_.fits(); }
  std::string_view key() const { return key_; }  ///< of the next field, if there is more
  void finish() {
    if (!has_ended_) text_.refuse();
  }

 private:
  void read_key() {
    key_ = text_.string();
    text_.expect(':');
  }

  void go_on() {
    if (text_.takes(',')) return read_key();
    text_.expect('}');
    has_ended_ = true;
  }

  CanonicalText& text_;
  std::string_view key_;
  bool has_ended_ = false;
};

template <typename T>
void decode(CanonicalText& text, std::optional<T>& target, Rule rule) {
  decode(text, target.emplace(), rule);
}

template <typename T>
void decode(CanonicalText& text, std::vector<T>& target, Rule rule) {
  text.elements('[', ']', [&] { decode(text, target.emplace_back(), rule); });
  target.shrink_to_fit();
}

template <typename T, typename Less>
void decode(CanonicalText& text, std::map<std::string, T, Less>& target, Rule rule) {
  text.elements('{', '}', [&] {
    const std::size_t before = target.size();
    T& value = target.try_emplace(target.end(), std::string(text.string()))->second;
    if (target.size() == before) text.refuse();  // the key occurs twice
    text.expect(':');
    decode(text, value, rule);
  });
}

template <typename Struct>
void decode(CanonicalText& text, Struct& target, Rule) {
  CanonicalFields fields(text);
  visit(fields, target);
  fields.finish();
  if (text.fits()) check(target, Path(), text.reading());
  if (!text.reading().problems.found().empty()) text.refuse();
}

/// Reads a whole document; nothing where it does not fit.
template <typename T>
std::optional<T> read_canonical(std::string_view document) {
  CanonicalText text(document);
  std::optional<T> result(std::in_place);
  decode(text, *result);
  return text.has_ended() ? std::move(result) : std::nullopt;
}

}  // namespace cupel::record::detail
