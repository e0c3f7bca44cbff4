// Reads the fields of a struct by its list, as encode.hpp writes them: says what is wrong and keeps the fields that the
// list does not have. For the sources of this project; not for users of the library.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/record/encode.hpp"
#include "cupel/record/forward.hpp"
#include "cupel/record/json_text.hpp"
#include "cupel/record/rule.hpp"
#include "cupel/units/printable.hpp"

namespace cupel::record::detail {

/// The place of a value in the file. A chain of the callers' frames: it costs nothing until something is wrong.
class Path {
 public:
  Path() = default;  ///< the whole
  /// Makes the place of a member or an element. The parent, and the key, must outlive it.
  Path(const Path& parent, std::string_view key) : parent_(&parent), key_(key) {}
  Path(const Path& parent, std::size_t index) : parent_(&parent), index_(index) {}
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

  /// Returns the place as a JSON pointer.
  Json::json_pointer pointer() const;

 private:
  const Path* parent_ = nullptr;
  std::string_view key_;
  std::optional<std::size_t> index_;
};

/// Thrown at the first problem unless problems are being collected.
struct Invalid {
  std::string problem;  ///< one line: JSON pointer and what is wrong
};

/// The problems of a file.
class Problems {
 public:
  /// Makes an empty list. collect: keep all problems (up to kMost) rather than throw Invalid at the first.
  explicit Problems(bool collect) : collect_(collect) {}

  /// Adds a problem. Throws Invalid unless problems are collected.
  void add(const Path& where, std::string_view what);
  const std::vector<std::string>& found() const { return found_; }

 private:
  static constexpr std::size_t kMost = 1000;
  bool collect_;
  std::vector<std::string> found_;
};

/// The state of reading one file.
struct Reading {
  Problems& problems;
  const Path* root = nullptr;     ///< of this reading; null: of the file
  bool refuses_unknown = false;   ///< a field that nobody asked for is a problem
  Json unknown = Json::object();  ///< JSON pointer from the root to each field that nobody asked for

  /// Keeps a field. Precondition: each pointer at most once. Not checked: that would be quadratic.
  void keep(std::string pointer, Json value) {
    unknown.get_ref<Json::object_t&>().emplace_back(std::move(pointer), std::move(value));
  }

  /// Returns the JSON object that keeps what was not known; empty when everything was.
  std::string unknown_text() const { return unknown.empty() ? std::string() : line(unknown); }
};

/// Reads the fields of one object, each of which is asked for once; finish() keeps the others as unknown. A field that
/// is null counts as absent. A value of a wrong type or out of range is a problem.
class FieldReader {
 public:
  /// Begins to read an object; a value that is none is a problem, and has no fields.
  FieldReader(const Json& value, const Path& path, Reading& reading);

  const Path& path() const { return path_; }
  Reading& reading() const { return reading_; }

  /// Reads a field into `target`; leaves it as it is where the field is absent.
  template <typename T>
  void operator()(std::string_view key, T& target, Rule rule = {}) {
    if (const Json* value = take(key, rule)) decode(*value, Path(path_, key), reading_, target, rule);
  }

  /// Returns the field's value, or null if it is absent.
  const Json* take(std::string_view key, Rule rule = {});

  /// Adds a problem of this field.
  void refuse(std::string_view key, std::string_view what) const { reading_.problems.add(Path(path_, key), what); }

  /// Keeps, or refuses, the fields that were not asked for.
  void finish();

 private:
  const Json* find(std::string_view key);

  const Json::object_t* object_ = nullptr;
  const Path& path_;
  Reading& reading_;
  std::vector<bool> taken_;
  std::vector<std::string> known_;  // that were asked for; only where others are refused
  std::size_t next_ = 0;            // where the search goes on: members usually stand in the order of the list
};

/// Decode a value into a member. A value of a wrong type, or one that the rule forbids, is a problem.
void decode(const Json&, const Path&, Reading&, bool&, Rule = {});
void decode(const Json&, const Path&, Reading&, int&, Rule = {});
void decode(const Json&, const Path&, Reading&, std::int64_t&, Rule = {});
void decode(const Json&, const Path&, Reading&, std::uint64_t&, Rule = {});
void decode(const Json&, const Path&, Reading&, double&, Rule = {});
void decode(const Json&, const Path&, Reading&, std::string&, Rule = {});
void decode(const Json&, const Path&, Reading&, std::pair<std::string, std::string>&, Rule = {});

/// Returns the index of the name that the value is; nothing, and a problem, where it is none.
std::optional<std::size_t> read_name(const Json&, const Path&, Reading&, std::span<const char* const> names);

/// Returns whether the value is a list; if not, that is a problem.
bool check_list(const Json&, const Path&, Reading&);
/// Returns whether the value is an object; if not, that is a problem.
bool check_object(const Json&, const Path&, Reading&);

/// Tells whether text may be printed; if not, that is a problem.
bool check_text(std::string_view text, const Path&, Reading&);

// Checks fields against each other. A struct that has more to check has an overload of its own.
inline void check(const auto&, const Path&, Reading&) {}
void check(const Series&, const Path&, Reading&);
void check(const Workload&, const Path&, Reading&);
void check(const Row&, const Path&, Reading&);

template <Named E>
void decode(const Json& value, const Path& path, Reading& reading, E& target, Rule = {}) {
  if (const auto found = read_name(value, path, reading, names_of(E{}))) target = static_cast<E>(*found);
}

template <typename T>
void decode(const Json&, const Path&, Reading&, std::optional<T>&, Rule = {});
template <typename T>
void decode(const Json&, const Path&, Reading&, std::vector<T>&, Rule = {});
template <typename T, typename Less>
void decode(const Json&, const Path&, Reading&, std::map<std::string, T, Less>&, Rule = {});

template <typename Struct>
void decode(const Json& value, const Path& path, Reading& reading, Struct& target, Rule = {}) {
  FieldReader fields(value, path, reading);
  visit(fields, target);
  fields.finish();
  check(target, path, reading);
}

template <typename T>
void decode(const Json& value, const Path& path, Reading& reading, std::optional<T>& target, Rule rule) {
  T content{};
  const std::size_t before = reading.problems.found().size();
  decode(value, path, reading, content, rule);
  if (reading.problems.found().size() == before) target = std::move(content);
}

template <typename T>
void decode(const Json& value, const Path& path, Reading& reading, std::vector<T>& target, Rule rule) {
  if (!check_list(value, path, reading)) return;
  target.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    decode(value[i], Path(path, i), reading, target.emplace_back(), rule);
  }
}

template <typename T, typename Less>
void decode(const Json& value, const Path& path, Reading& reading, std::map<std::string, T, Less>& target, Rule rule) {
  if (!check_object(value, path, reading)) return;
  for (const auto& [key, member] : value.get_ref<const Json::object_t&>()) {
    const Path here(path, key);
    if (check_text(key, here, reading)) decode(member, here, reading, target[key], rule);
  }
}

}  // namespace cupel::record::detail
