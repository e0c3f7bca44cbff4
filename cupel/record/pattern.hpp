// Regular expressions that choose benchmarks by their names: --filter, gate policies, accepted levels.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cupel::record {
namespace detail {
struct Instruction;
}

/// A regular expression that is searched in names: ECMAScript's, less look-ahead, references to groups, classes by name
/// ("[:alpha:]") and escapes by number. A search takes time in proportion to the pattern times the name at most; the
/// backtracking of std::regex doubles its time with each letter that it looks for "(a+)+$" in.
class Pattern {
 public:
  /// Throws std::invalid_argument that names the text and says what is wrong with it.
  explicit Pattern(std::string text);

  /// Whether it is found in the name, of which the first 1000 bytes are looked at.
  bool matches(std::string_view name) const;

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::shared_ptr<const std::vector<detail::Instruction>> program_;
};

}  // namespace cupel::record
