// JSON text to events, a piece of a file at a time. Internal to cupel/record.
//
// Result files are nearly nothing but samples, so that reading one is reading numbers: the standard library's
// from_chars() takes a fifth of the time of a general parser's strtod(), and no locale has a say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace cupel::record::detail {

/// Puts the next piece of a text into `room`, and says how much that was; 0 at the end.
using Refill = std::function<std::size_t(char* room, std::size_t size)>;

/// Text of which only the part around the place of reading is in memory.
class Text {
 public:
  explicit Text(std::string_view whole) : at(whole.data()), end(at + whole.size()), begin_(at) {}
  explicit Text(Refill refill);
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  const char* at;   ///< the next character
  const char* end;  ///< of what is in memory

  /// Brings more behind `end`, and gives up what lies before `at`: pointers into the text are void. False at the end.
  bool more();

  /// To the next character that is no space. False at the end.
  bool skip_space();

  /// "line 3, column 7" of `where`, which is in memory.
  std::string place(const char* where) const;

 private:
  void count_lines(const char* until);

  const char* begin_;  // of what is in memory
  Refill refill_;
  std::string buffer_;
  std::size_t line_ = 1;          // of begin_
  std::size_t line_started_ = 0;  // bytes of that line before begin_
};

/// What a scanner tells. Each returns false to end it.
class Events {
 public:
  virtual ~Events() = default;
  virtual bool null() = 0;
  virtual bool boolean(bool) = 0;
  virtual bool integer(std::int64_t) = 0;
  virtual bool large_integer(std::uint64_t) = 0;  ///< above INT64_MAX
  virtual bool real(double) = 0;
  virtual bool string(std::string&) = 0;
  virtual bool key(std::string&) = 0;
  virtual bool start_object() = 0;
  virtual bool end_object() = 0;
  virtual bool start_array() = 0;
  virtual bool end_array() = 0;
  virtual bool error(const std::string& what, bool at_end) = 0;  ///< at_end: the text is too short
};

/// Strict JSON (RFC 8259) in UTF-8; a byte order mark is passed over. A number that is too large for a double is an
/// error, one that is too small is 0. Nesting is the events' to limit: it is followed by recursion.
void scan(Text& text, Events& events);

}  // namespace cupel::record::detail
