#include "cupel/record/fields.hpp"

#include <cmath>
#include <limits>

#include "cupel/record/text.hpp"

namespace cupel::record::detail {
namespace {

std::string must_be(const char* wanted, const Value& value) {
  return std::string("must be ") + wanted + ", is " + kind(value);
}

constexpr double kUint64End = 18446744073709551616.0;  // 2^64

// A count from 0 to `largest`. 5.0 is one too: some tools write every number so.
std::optional<std::uint64_t> count(const Value& value, const Path& path, Reading& reading, std::uint64_t largest) {
  std::optional<std::uint64_t> number;
  bool negative = false;
  if (const auto* whole = value.as<std::int64_t>()) {
    negative = *whole < 0;
    number = static_cast<std::uint64_t>(*whole);
  } else if (const auto* large = value.as<std::uint64_t>()) {
    number = *large;
  } else if (const auto* real = value.as<double>(); real != nullptr && *real == std::trunc(*real)) {
    negative = *real < 0;
    number = std::abs(*real) < kUint64End ? static_cast<std::uint64_t>(std::abs(*real)) : UINT64_MAX;
  }
  if (!number) {
    reading.problems.add(path, must_be("a whole number", value));
  } else if (negative) {
    reading.problems.add(path, "must not be negative");
    number.reset();
  } else if (*number > largest) {
    reading.problems.add(path, "is too large");
    number.reset();
  }
  return number;
}

}  // namespace

std::string Path::text() const {
  if (parent_ == nullptr) {
    return std::string(key_);
  }
  return parent_->text() + '/' + (is_index_ ? std::to_string(index_) : pointer_token(key_));
}

void Problems::add(const Path& where, std::string_view what) {
  const std::string pointer = where.text();
  std::string problem = printable((pointer.empty() ? "/" : pointer) + ": " + std::string(what));
  if (!collect_) {
    throw Invalid{std::move(problem)};
  }
  if (found_.size() < kMost) {
    found_.push_back(std::move(problem));
  }
}

Fields::Fields(const Value& value, const Path& path, Reading& reading)
    : object_(value.as<Object>()), path_(path), reading_(reading) {
  if (object_ == nullptr) {
    reading_.problems.add(path_, must_be("an object", value));
  } else {
    taken_.resize(object_->size());
  }
}

const Value* Fields::take(std::string_view key) {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if ((*object_)[i].key == key) {
      taken_[i] = true;
      const Value& value = (*object_)[i].value;
      return value.as<std::nullptr_t>() != nullptr ? nullptr : &value;
    }
  }
  return nullptr;
}

const Value* Fields::require(std::string_view key) {
  const Value* value = take(key);
  if (value == nullptr && object_ != nullptr) {
    reading_.problems.add(Path(path_, key), "is missing");
  }
  return value;
}

void Fields::finish() {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (!taken_[i]) {
      const Member& member = (*object_)[i];
      const std::string pointer = Path(path_, member.key).text();
      reading_.unknown.push_back({pointer.substr(reading_.root_length), member.value});
    }
  }
}

void Fields::read_amount(std::string_view key, double& target) {
  double amount = target;
  read(key, amount);
  if (amount < 0) {
    reading_.problems.add(Path(path_, key), "must not be negative");
    return;
  }
  target = amount;
}

void Fields::read_amount(std::string_view key, std::optional<double>& target) {
  double amount = std::numeric_limits<double>::infinity();
  read_amount(key, amount);
  if (std::isfinite(amount)) {
    target = amount;
  }
}

void decode(const Value& value, const Path& path, Reading& reading, bool& target) {
  if (const bool* content = value.as<bool>()) {
    target = *content;
  } else {
    reading.problems.add(path, must_be("true or false", value));
  }
}

void decode(const Value& value, const Path& path, Reading& reading, int& target) {
  if (const auto number = count(value, path, reading, std::numeric_limits<int>::max())) {
    target = static_cast<int>(*number);
  }
}

void decode(const Value& value, const Path& path, Reading& reading, std::int64_t& target) {
  if (const auto number = count(value, path, reading, std::numeric_limits<std::int64_t>::max())) {
    target = static_cast<std::int64_t>(*number);
  }
}

void decode(const Value& value, const Path& path, Reading& reading, std::uint64_t& target) {
  if (const auto number = count(value, path, reading, std::numeric_limits<std::uint64_t>::max())) {
    target = *number;
  }
}

void decode(const Value& value, const Path& path, Reading& reading, double& target) {
  if (const auto* real = value.as<double>()) {
    target = *real;
  } else if (const auto* whole = value.as<std::int64_t>()) {
    target = static_cast<double>(*whole);
  } else if (const auto* large = value.as<std::uint64_t>()) {
    target = static_cast<double>(*large);
  } else {
    reading.problems.add(path, must_be("a number", value));
  }
}

void decode(const Value& value, const Path& path, Reading& reading, std::string& target) {
  const std::string* text = value.as<std::string>();
  if (text == nullptr) {
    reading.problems.add(path, must_be("a string", value));
  } else if (check_text(*text, path, reading)) {
    target = *text;
  }
}

void decode(const Value& value, const Path& path, Reading& reading, std::vector<double>& target) {
  if (const Numbers* numbers = value.as<Numbers>()) {
    target = *numbers;
    return;
  }
  const Array* array = value.as<Array>();
  if (array == nullptr) {
    reading.problems.add(path, must_be("a list of numbers", value));
    return;
  }
  for (std::size_t i = 0; i < array->size(); ++i) {
    decode((*array)[i], Path(path, i), reading, target.emplace_back());
  }
}

void decode(const Value& value, const Path& path, Reading& reading, std::vector<std::int64_t>& target) {
  const Numbers* numbers = value.as<Numbers>();
  const Array* array = value.as<Array>();
  if (numbers == nullptr && array == nullptr) {
    reading.problems.add(path, must_be("a list of whole numbers", value));
    return;
  }
  const std::size_t size = numbers != nullptr ? numbers->size() : array->size();
  target.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    const Value element = numbers != nullptr ? Value{(*numbers)[i]} : (*array)[i];
    decode(element, Path(path, i), reading, target.emplace_back());
  }
}

bool check_text(std::string_view text, const Path& path, Reading& reading) {
  if (has_control(text)) {
    reading.problems.add(path, "holds a control character");
    return false;
  }
  return true;
}

}  // namespace cupel::record::detail
