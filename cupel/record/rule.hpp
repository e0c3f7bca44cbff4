// The rules of a list of fields, a visit() of a struct. For the sources of this project; not for users of the library.
//
// A list calls the visitor with the name, the member and, where the plain rule does not hold, a Rule. The plain rule: a
// field may be absent; it is written unless it is an empty text, list, map or optional, or a number that is not finite;
// whole numbers are counts and doubles are amounts, neither of them negative.
#pragma once

#include <concepts>
#include <type_traits>

namespace cupel::record::detail {

/// The rule of a field.
struct Rule {
  bool required = false;   ///< absent is an error; always written
  bool always = false;     ///< always written
  bool not_empty = false;  ///< a text
  bool zero_is_absent = false;
  bool any_sign = false;
  bool whole = false;  ///< a text: with characters that act on a terminal, which the text of JSON escapes
  int only_value = 0;  ///< a number: the one that the field can have; 0: it can have several
  bool is_time =
      false;  ///< a text: a time as programs write it; what is none, as another program may have it, is not written
};

inline constexpr Rule kRequired{.required = true};
/// Makes the rule of a field with one possible value.
constexpr Rule only(int value) { return {.required = true, .only_value = value}; }

inline constexpr Rule kName{.required = true, .not_empty = true};
inline constexpr Rule kAlways{.always = true};
inline constexpr Rule kZeroIsAbsent{.zero_is_absent = true};
inline constexpr Rule kWhole{.whole = true};
inline constexpr Rule kWholeAlways{.always = true, .whole = true};
inline constexpr Rule kAnySign{.any_sign = true};
inline constexpr Rule kTime{.is_time = true};
inline constexpr Rule kRequiredTime{.required = true, .is_time = true};

/// A struct to be read or, const, to be written.
template <typename T, typename Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

/// The head of a document: which format it has, and of which version.
struct DocumentSchema {
  const char* name;
  int major, minor;
};

void visit(auto& v, Is<DocumentSchema> auto& schema) {
  v("name", schema.name);
  v("major", schema.major);
  v("minor", schema.minor);
}

}  // namespace cupel::record::detail
