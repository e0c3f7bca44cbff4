// JSON as text: nlohmann's parser for text that nobody vouches for, and his writer with a layout of ours. For the
// sources of this project; not for users of the library.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "cupel/units/printable.hpp"

namespace cupel::files {
class FileReader;
}

namespace cupel::record::detail {

using units::has_control;
using units::printable;
using units::to_utf8;

/// Members stand in the order in which they were put or read.
using Json = nlohmann::ordered_json;

/// Deepest nesting that is followed. The format itself needs eight.
inline constexpr std::size_t kDeepest = 64;

/// A text as it was read.
struct Parsed {
  Json value;
  std::string error;       ///< one line with the JSON pointer and what is wrong; empty when the text is whole
  bool cut_short = false;  ///< the error is that the text ends too early
};

/// The treatment of a key that occurs twice in an object: it is an error, or passed over after its first value.
enum class Duplicates { refused, first_counts };

/// The part of a text that was read.
struct Taken {
  std::size_t size = 0;  ///< bytes; 0: it was not read
  bool ran_out = false;  ///< it was not read, maybe since only a part of it was given
};

/// Takes the elements of the top-level list `benchmarks`, so that a long file is never in memory as a tree; `root` is
/// what was read before the element.
struct RowSink {
  /// Takes an element as soon as it is complete. Returns false to leave it in the tree.
  std::function<bool(const Json& root, const Json& row, std::size_t index)> tree;
  /// Takes an element that begins the text and, with it, the comma to the next, which must be an object; or neither.
  std::function<Taken(const Json& root, std::string_view text, std::size_t index)> text;
};

/// Reads strict JSON (RFC 8259) in UTF-8: a key that occurs twice in an object, nesting beyond kDeepest and numbers
/// outside the range of double are errors. After an error, `value` holds what was complete before it. Never throws on
/// account of the text.
Parsed parse(std::string_view text, const RowSink& sink = {}, Duplicates duplicates = Duplicates::refused);

/// Reads strict JSON from a file, of which only a piece is in memory. Throws ReadError where the file cannot be read.
Parsed parse(files::FileReader& file, const RowSink& sink = {});

/// Writes strict JSON, of which the outer `levels` have an element a line, unless all their elements are plain values,
/// and the inner ones none: of a list of rows, 1 gives a row a line. Numbers are the shortest text that reads back as
/// the same double, in any locale; one that is not finite is null. What is not ASCII is escaped, so that no text of
/// others acts on a terminal; bytes that are not UTF-8 become U+FFFD.
std::string lines(const Json&, int levels);

/// Writes strict JSON on one line.
inline std::string line(const Json& value) { return lines(value, 0); }

/// Says where in a file, ahead of what is said of it: "field /on/busy: ", by its JSON pointer; nothing of the whole.
std::string place_text(const Json::json_pointer& place);

/// Names the kind of a value, "an object", "a string", ...: for error messages.
const char* kind(const Json&);

}  // namespace cupel::record::detail
