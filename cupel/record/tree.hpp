// A JSON document in memory, and its text. For cupel/record, and for the small files of cupel/compare and cupel/report;
// not for users of the library.
//
// Members keep their order, so that a file reads as it was written: name first, samples last. An array of plain numbers
// is one vector of doubles: result files are nearly nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cupel::record::detail {

/// Doubles hold every integer up to here.
inline constexpr std::uint64_t kExactIntegers = std::uint64_t{1} << 53;

struct Value;
struct Member;
using Array = std::vector<Value>;
using Numbers = std::vector<double>;
using Object = std::vector<Member>;

struct Value {
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Numbers, Array, Object> data;

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  template <typename T>
  T* as() {
    return std::get_if<T>(&data);
  }
};

struct Member {
  std::string key;
  Value value;
};

/// The member's value, or null.
const Value* find(const Object&, std::string_view key);
Value* find(Object&, std::string_view key);

/// "an object", "a string", ...: for error messages.
const char* kind(const Value&);

/// Strict JSON, indented by two; a list without objects stays on one line, so that samples do, and so does a short
/// object of plain members. Numbers are the shortest text that reads back as the same double, in any locale. A double
/// that is not finite becomes null. Text that is not UTF-8 is written with U+FFFD in its place.
std::string dump(const Value&);

/// The same on one line, without spaces.
std::string dump_line(const Value&);

/// The value at a JSON pointer (RFC 6901), or null. The empty pointer is the whole.
Value* at_pointer(Value&, std::string_view pointer);

/// One reference token of a JSON pointer, with ~ and / escaped.
std::string pointer_token(std::string_view key);

/// The key that a reference token stands for.
std::string pointer_key(std::string_view token);

}  // namespace cupel::record::detail
