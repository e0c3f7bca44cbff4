// Text to tree, for text that nobody vouches for. For cupel/record, and for the small files of cupel/compare and
// cupel/report; not for users of the library.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cupel/record/scan.hpp"
#include "cupel/record/tree.hpp"

namespace cupel::record::detail {

/// Deepest nesting that is followed. The format itself needs eight.
inline constexpr std::size_t kDeepest = 64;

struct Parsed {
  Value value;
  std::string error;       ///< one line with the JSON pointer and what is wrong; empty when the text is whole
  bool cut_short = false;  ///< the error is that the text ends too early
};

/// What a key that occurs twice in an object is: an error, or passed over after its first value.
enum class Duplicates { refused, first_counts };

/// Takes an element of the top-level list `benchmarks` as soon as it is complete, so that a long file is never in
/// memory as a tree; `root` is what was read before it. Returns false to leave the element in the tree.
using RowSink = std::function<bool(const Object& root, Value& row, std::size_t index)>;

/// Strict JSON (RFC 8259) in UTF-8: a key that occurs twice in an object, nesting beyond kDeepest and numbers outside
/// the range of double are errors. After an error, `value` holds what was complete before it: an object or a list
/// that was cut short has the members that were complete. Never throws on account of the text.
Parsed parse(std::string_view text, const RowSink& sink = nullptr, Duplicates duplicates = Duplicates::refused);

/// The same for a text that comes a piece at a time.
Parsed parse(Text& text, const RowSink& sink = nullptr, Duplicates duplicates = Duplicates::refused);

}  // namespace cupel::record::detail
