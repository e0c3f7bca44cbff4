#include "cupel/record/parse.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "cupel/record/text.hpp"

namespace cupel::record::detail {
namespace {

constexpr std::size_t kLongestQuote = 200;  // of the text, in an error message

// The key that occurs twice, or null. Comparing all pairs is faster than sorting while there are few.
const std::string* duplicate_key(const Object& object) {
  constexpr std::size_t kFew = 16;
  if (object.size() <= kFew) {
    for (std::size_t i = 1; i < object.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (object[i].key == object[j].key) {
          return &object[i].key;
        }
      }
    }
    return nullptr;
  }
  std::vector<const std::string*> keys;
  keys.reserve(object.size());
  for (const Member& member : object) {
    keys.push_back(&member.key);
  }
  const auto less = [](const std::string* a, const std::string* b) { return *a < *b; };
  const auto equal = [](const std::string* a, const std::string* b) { return *a == *b; };
  std::sort(keys.begin(), keys.end(), less);
  const auto found = std::adjacent_find(keys.begin(), keys.end(), equal);
  return found == keys.end() ? nullptr : *found;
}

// Fit for one line of an error message.
std::string shown(const std::string& message) {
  std::string text = printable(message);
  if (text.size() > kLongestQuote) {
    text = to_utf8(std::string_view(text).substr(0, kLongestQuote)) + "...";
  }
  return text;
}

// Builds the tree from the parser's events. The open containers are a stack; each knows where in its parent it goes.
class Builder final : public Events {
 public:
  Builder(const RowSink& sink, Duplicates duplicates) : sink_(sink), duplicates_(duplicates) {}

  bool null() override { return add(Value{nullptr}); }
  bool boolean(bool value) override { return add(Value{value}); }
  bool integer(std::int64_t value) override {
    const auto magnitude =
        value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    return add_number(Value{value}, magnitude <= kExactIntegers, static_cast<double>(value));
  }
  bool large_integer(std::uint64_t value) override {
    return add_number(Value{value}, value <= kExactIntegers, static_cast<double>(value));
  }
  bool real(double value) override { return add_number(Value{value}, true, value); }
  bool string(std::string& value) override { return add(Value{std::move(value)}); }

  bool start_object() override { return open(Value{Object{}}); }
  bool start_array() override { return open(Value{Numbers{}}); }

  bool key(std::string& key) override {
    open_.back().key = std::move(key);
    open_.back().has_key = true;
    return true;
  }

  bool end_object() override {
    if (duplicates_ == Duplicates::first_counts) {
      return close();  // find() takes the first
    }
    if (const std::string* twice = duplicate_key(*open_.back().value.as<Object>())) {
      return fail("the key \"" + *twice + "\" occurs twice");
    }
    return close();
  }
  bool end_array() override { return close(); }

  bool error(const std::string& what, bool at_end) override {
    cut_short_ = at_end;
    return fail(shown(what));
  }

  Parsed take() {
    while (!open_.empty()) {
      close();
    }
    return {std::move(root_), std::move(error_), cut_short_};
  }

 private:
  struct Open {
    Value value;
    std::string key;  // of the member that comes next, in an object
    bool has_key = false;
    std::size_t taken = 0;  // elements that the sink took, in a list
  };

  bool add_number(Value&& number, bool exact, double value) {
    if (!open_.empty() && exact) {
      if (Numbers* numbers = open_.back().value.as<Numbers>()) {
        numbers->push_back(value);
        return true;
      }
    }
    return add(std::move(number));
  }

  bool add(Value&& value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Open& parent = open_.back();
    if (Object* object = parent.value.as<Object>()) {
      object->push_back({std::move(parent.key), std::move(value)});
      parent.has_key = false;
      return true;
    }
    widen(parent.value);
    parent.value.as<Array>()->push_back(std::move(value));
    return true;
  }

  // A list starts as plain numbers and turns into a list of anything with the first element that is no number.
  static void widen(Value& list) {
    if (const Numbers* numbers = list.as<Numbers>()) {
      Array array;
      for (const double number : *numbers) {
        array.emplace_back().data = number;
      }
      list.data = std::move(array);
    }
  }

  bool open(Value&& container) {
    if (open_.size() >= kDeepest) {
      return fail("nested deeper than " + std::to_string(kDeepest));
    }
    open_.push_back({std::move(container), {}, false, 0});
    return true;
  }

  bool close() {
    Value done = std::move(open_.back().value);
    open_.pop_back();
    if (error_.empty() && is_row(done) && sink_(*open_.front().value.as<Object>(), done, next_index(open_.back()))) {
      ++open_.back().taken;
      return true;
    }
    return add(std::move(done));
  }

  bool is_row(const Value& done) const {
    return sink_ && open_.size() == 2 && done.as<Object>() != nullptr && open_.front().value.as<Object>() != nullptr &&
           open_.back().value.as<Object>() == nullptr && open_.front().key == "benchmarks";
  }

  static std::size_t next_index(const Open& list) {
    const Numbers* numbers = list.value.as<Numbers>();
    return list.taken + (numbers != nullptr ? numbers->size() : list.value.as<Array>()->size());
  }

  bool fail(const std::string& what) {
    if (error_.empty()) {
      error_ = printable(pointer() + ": " + what);
    }
    return false;
  }

  std::string pointer() const {
    std::string text;
    for (const Open& container : open_) {
      if (container.value.as<Object>() == nullptr) {
        text += '/' + std::to_string(next_index(container));
      } else if (container.has_key) {
        text += '/' + pointer_token(container.key);
      }
    }
    return text.empty() ? "/" : text;
  }

  const RowSink& sink_;
  Duplicates duplicates_;
  bool cut_short_ = false;
  std::vector<Open> open_;
  Value root_;
  std::string error_;
};

}  // namespace

Parsed parse(Text& text, const RowSink& sink, Duplicates duplicates) {
  Builder builder(sink, duplicates);
  scan(text, builder);
  return builder.take();
}

Parsed parse(std::string_view text, const RowSink& sink, Duplicates duplicates) {
  Text whole(text);
  return parse(whole, sink, duplicates);
}

}  // namespace cupel::record::detail
