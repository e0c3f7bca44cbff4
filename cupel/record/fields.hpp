// Reads the fields of an object by name and type, says what is wrong with them and keeps those that it does not know.
// For cupel/record, and for the small files of cupel/compare and cupel/report; not for users of the library.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/record/tree.hpp"

namespace cupel::record::detail {

/// Where a value stands in the file. A chain of the callers' frames: it costs nothing until something is wrong.
class Path {
 public:
  explicit Path(std::string_view pointer) : key_(pointer) {}
  Path(const Path& parent, std::string_view key) : parent_(&parent), key_(key) {}
  Path(const Path& parent, std::size_t index) : parent_(&parent), index_(index), is_index_(true) {}
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

  /// The JSON pointer.
  std::string text() const;

 private:
  const Path* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
  bool is_index_ = false;
};

/// Thrown at the first problem unless problems are being collected.
struct Invalid {
  std::string problem;  ///< one line: JSON pointer and what is wrong
};

/// What is wrong with a document.
class Problems {
 public:
  /// collect: keep all problems (up to kMost) rather than throw Invalid at the first.
  explicit Problems(bool collect) : collect_(collect) {}

  void add(const Path& where, std::string_view what);
  const std::vector<std::string>& found() const { return found_; }

 private:
  static constexpr std::size_t kMost = 1000;
  bool collect_;
  std::vector<std::string> found_;
};

/// One document being read.
struct Reading {
  Problems& problems;
  Object unknown;               ///< JSON pointer from the root of this reading to each field that nobody asked for
  std::size_t root_length = 0;  ///< length of the text of the root's path
};

/// The fields of one object. Each is asked for once; finish() keeps the others as unknown. A field that is null counts
/// as absent. A value of a wrong type or out of range is a problem and leaves the target as it was.
class Fields {
 public:
  /// A value that is no object is a problem, and has no fields.
  Fields(const Value& value, const Path& path, Reading& reading);

  const Path& path() const { return path_; }
  Reading& reading() const { return reading_; }

  /// The field's value, or null if it is absent.
  const Value* take(std::string_view key);

  /// The same; absent is a problem.
  const Value* require(std::string_view key);

  /// Marks fields that say again what another field says.
  void ignore(std::string_view key) { take(key); }

  void finish();

  template <typename T>
  void read(std::string_view key, T& target) {
    if (const Value* value = take(key)) {
      decode(*value, Path(path_, key), reading_, target);
    }
  }

  template <typename T>
  void read_required(std::string_view key, T& target) {
    if (const Value* value = require(key)) {
      decode(*value, Path(path_, key), reading_, target);
    }
  }

  /// A double that cannot be negative: a duration, a frequency.
  void read_amount(std::string_view key, double& target);
  void read_amount(std::string_view key, std::optional<double>& target);

 private:
  const Object* object_ = nullptr;
  const Path& path_;
  Reading& reading_;
  std::vector<bool> taken_;
};

// Whole numbers are counts: never negative.
void decode(const Value&, const Path&, Reading&, bool&);
void decode(const Value&, const Path&, Reading&, int&);
void decode(const Value&, const Path&, Reading&, std::int64_t&);
void decode(const Value&, const Path&, Reading&, std::uint64_t&);
void decode(const Value&, const Path&, Reading&, double&);
void decode(const Value&, const Path&, Reading&, std::string&);
void decode(const Value&, const Path&, Reading&, std::vector<double>&);
void decode(const Value&, const Path&, Reading&, std::vector<std::int64_t>&);

/// Whether text may be printed; if not, that is a problem.
bool check_text(std::string_view text, const Path&, Reading&);

template <typename T>
void decode(const Value& value, const Path& path, Reading& reading, std::optional<T>& target) {
  T content{};
  decode(value, path, reading, content);
  target = std::move(content);
}

template <typename T>
void decode(const Value& value, const Path& path, Reading& reading, std::vector<T>& target) {
  const Array* array = value.as<Array>();
  if (array == nullptr) {
    const Numbers* numbers = value.as<Numbers>();
    if (numbers == nullptr || !numbers->empty()) {
      reading.problems.add(path, numbers == nullptr ? std::string("must be a list, is ") + kind(value)
                                                    : std::string("must not be a list of numbers"));
    }
    return;
  }
  target.reserve(array->size());
  for (std::size_t i = 0; i < array->size(); ++i) {
    decode((*array)[i], Path(path, i), reading, target.emplace_back());
  }
}

template <typename T>
void decode(const Value& value, const Path& path, Reading& reading, std::map<std::string, T>& target) {
  const Object* object = value.as<Object>();
  if (object == nullptr) {
    reading.problems.add(path, std::string("must be an object, is ") + kind(value));
    return;
  }
  for (const Member& member : *object) {
    const Path here(path, member.key);
    if (check_text(member.key, here, reading)) {
      decode(member.value, here, reading, target[member.key]);
    }
  }
}

}  // namespace cupel::record::detail
