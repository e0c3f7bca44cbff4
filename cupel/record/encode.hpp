// Writes the fields of a struct by its list, a visit() as those of visit.hpp. For the sources of this project; not for
// users of the library.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupel/record/json_text.hpp"
#include "cupel/record/names.hpp"
#include "cupel/record/rule.hpp"
#include "cupel/units/printable.hpp"

namespace cupel::record::detail {

/// Encode a value as JSON: a number that is not finite and an absent value as null, an enumeration's value by its name,
/// a list as an array, a struct by its visit(). Text is made printable (json_text.hpp).
inline Json encode(bool value) { return value; }
inline Json encode(int value) { return value; }
inline Json encode(std::int64_t value) { return value; }
inline Json encode(std::uint64_t value) { return value; }
inline Json encode(double value) { return std::isfinite(value) ? Json(value) : Json(); }
inline Json encode(const std::string& text) { return printable(text); }
inline Json encode(const char* text) { return printable(text); }
Json encode(const std::pair<std::string, std::string>&);

template <Named E>
Json encode(const E& value) {
  return record::to_string(value);
}

template <typename T>
Json encode(const std::optional<T>&);
template <typename T>
Json encode(std::span<const T>);
template <typename T>
Json encode(const std::vector<T>&);
template <typename T, typename Less>
Json encode(const std::map<std::string, T, Less>&);

template <typename Struct>
Json encode(const Struct&);

/// Writes the fields of one struct: a visitor of its visit().
class FieldWriter {
 public:
  /// Writes a field, unless it says nothing and its rule does not require it.
  template <typename T>
  void operator()(const char* key, const T& value, Rule rule = {}) {
    Json written;
    if constexpr (std::same_as<T, std::string>) {
      written = rule.whole ? Json(value) : encode(value);
    } else {
      written = encode(value);
    }
    if (rule.required || rule.always || says_something(written, rule)) put(key, std::move(written));
  }

  /// Writes a map; an empty one only if required.
  template <typename T, typename Less>
  void operator()(const char* key, const std::map<std::string, T, Less>& map, Rule rule = {}) {
    if (Json written = encode(map); rule.required || !written.empty()) put(key, std::move(written));
  }

  /// Returns the object. Call it once.
  Json take() { return std::move(object_); }

 private:
  static bool says_something(const Json&, Rule);
  void put(const char* key, Json&& value) { object_.get_ref<Json::object_t&>().emplace_back(key, std::move(value)); }

  Json object_ = Json::object();
};

template <typename Struct>
Json encode(const Struct& content) {
  FieldWriter fields;
  visit(fields, content);
  return fields.take();
}

template <typename T>
Json encode(const std::optional<T>& value) {
  return value ? encode(*value) : Json();
}

template <typename T>
Json encode(std::span<const T> values) {
  Json::array_t list;
  list.reserve(values.size());
  for (const T& value : values) {
    if constexpr (std::is_pointer_v<T>) {
      list.push_back(encode(*value));
    } else {
      list.push_back(encode(value));
    }
  }
  return list;
}

template <typename T>
Json encode(const std::vector<T>& values) {
  return encode(std::span(values));
}

/// Encodes a map as an object. Of names that differ only in control characters the first is kept.
template <typename T, typename Less>
Json encode(const std::map<std::string, T, Less>& map) {
  Json object = Json::object();
  for (const auto& [name, value] : map) {
    if (Json written = encode(value); !written.is_null()) object.emplace(printable(name), std::move(written));
  }
  return object;
}

}  // namespace cupel::record::detail
