// Regular expressions that choose benchmarks by their names: --filter, gate policies, accepted levels.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace cupel::record {

/// A regular expression that is searched in names, in RE2's syntax (https://github.com/google/re2/wiki/Syntax): Perl's,
/// less look-ahead, look-behind and references to groups. A search takes time in proportion to the pattern times the
/// name at most; the backtracking of std::regex doubles its time with each letter that it looks for "(a+)+$" in.
/// Pattern and names are UTF-8, so that "." is a character and not a byte; bytes of a name that are none match nothing.
class Pattern {
 public:
  /// Compiles the text. Throws std::invalid_argument that names the text and says what is wrong with it.
  explicit Pattern(std::string text);

  /// Tells whether the pattern is found in the first 1000 bytes of the name. Threads may share a pattern.
  bool matches(std::string_view name) const;

  /// Returns the text as it was given.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace cupel::record
