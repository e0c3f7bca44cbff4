#include "cupel/record/json_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <istream>
#include <span>
#include <streambuf>
#include <utility>
#include <vector>

#include "cupel/files/input_file.hpp"
#include "cupel/units/printable.hpp"

namespace cupel::record::detail {
namespace {

constexpr std::size_t kLongestQuote = 200;       // of the text, in an error message
constexpr std::size_t kPiece = 1 << 16;          // of a text, that the parser is given at once
constexpr std::size_t kLongestToken = 16 << 20;  // and of blanks: the parser keeps three copies of one
constexpr std::size_t kUsualMembers = 20;        // of an object at most; one that grows further is copied
constexpr std::size_t kUsualElements = 64;       // of samples

// Differs for most keys that differ.
std::uint32_t mark_of(const std::string& key) {
  const auto byte = [](char c) { return std::uint32_t{static_cast<unsigned char>(c)}; };
  return key.empty() ? 0 : static_cast<std::uint32_t>(key.size()) << 16U | byte(key.front()) << 8U | byte(key.back());
}

// Compares all pairs, by their marks first: faster than sorting while there are few.
const std::string* duplicate_of_few(const Json::object_t& object) {
  std::array<std::uint32_t, kUsualMembers> marks{};
  std::size_t count = 0;
  for (auto one = object.begin(); one != object.end(); ++one, ++count) {
    marks[count] = mark_of(one->first);
    for (std::size_t i = 0; i < count; ++i) {
      if (marks[i] == marks[count] && object.begin()[static_cast<std::ptrdiff_t>(i)].first == one->first)
        return &one->first;
    }
  }
  return nullptr;
}

// The key that occurs twice, or null.
const std::string* duplicate_key(const Json::object_t& object) {
  if (object.size() <= kUsualMembers) return duplicate_of_few(object);
  std::vector<const std::string*> keys;
  for (const auto& [key, value] : object) keys.push_back(&key);
  const auto text = [](const std::string* key) -> const std::string& { return *key; };
  std::ranges::sort(keys, {}, text);
  const auto found = std::ranges::adjacent_find(keys, {}, text);
  return found == keys.end() ? nullptr : *found;
}

// nlohmann's message without its number, fit for one line of ours.
std::string shown(std::string_view message) {
  if (message.starts_with('[')) message.remove_prefix(std::min(message.find("] ") + 2, message.size()));
  std::string text = printable(message);
  if (text.size() > kLongestQuote) text = to_utf8(std::string_view(text).substr(0, kLongestQuote)) + "...";
  return text;
}

// Builds the tree from the parser's events. The open containers are a stack; each knows where its next value goes.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  Builder(const RowSink& sink, Duplicates duplicates) : sink_(sink), duplicates_(duplicates) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON has none
  bool start_object(std::size_t) override {
    if (!open(Json::object())) return false;
    open_.back().value->get_ref<Json::object_t&>().reserve(kUsualMembers);
    return true;
  }
  bool start_array(std::size_t) override {
    if (!open(Json::array())) return false;
    open_.back().value->get_ref<Json::array_t&>().reserve(kUsualElements);
    return true;
  }
  bool end_object() override {
    const std::string* twice =
        duplicates_ == Duplicates::refused ? duplicate_key(open_.back().value->get_ref<Json::object_t&>()) : nullptr;
    return twice == nullptr ? close() : fail("the key \"" + *twice + "\" occurs twice");
  }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    ++events_;
    // Without the search of his own insertion, which would take the square of the time.
    const auto& [key, value] = open_.back().value->get_ref<Json::object_t&>().emplace_back(std::move(name), nullptr);
    open_.back().key = &key;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    cut_short_ = position > size_;  // the parser asked for more than there is
    if (size_ == 0) return error_ = "is empty", false;
    const std::string what = shown(error.what());
    return fail(cut_short_ ? what.substr(0, what.find(": ")) + ": the text ends there, it was cut off" : what);
  }

  /// How many there were.
  std::uint64_t events() const { return events_; }

  /// The text was read to its end, and is that long.
  void ends_after(std::size_t size) { size_ = size; }

  /// has_nul: the text has a NUL, which nlohmann's parser takes for the end of it. too_long: it was ended for a token.
  Parsed take(bool has_nul, bool too_long) {
    if (too_long) error_.clear(), fail("a value, or the blanks before one, is longer than 16 MiB");
    if (has_nul && error_.empty()) fail("parse error: a NUL after the end");
    return {std::move(root_), std::move(error_), cut_short_};
  }

 private:
  struct Open {
    Json* value = nullptr;
    const std::string* key = nullptr;  // of the member that is next or being read, in an object
    std::size_t taken = 0;             // elements that the sink took, in a list
  };

  template <typename T>
  bool add(T&& value) {
    ++events_;
    place() = std::forward<T>(value);
    finish_member();
    return true;
  }

  void finish_member() {
    if (!open_.empty()) open_.back().key = nullptr;
  }

  Json& place() {
    if (open_.empty()) return root_;
    const Open& parent = open_.back();
    if (parent.value->is_object()) return parent.value->get_ref<Json::object_t&>().back().second;
    return parent.value->get_ref<Json::array_t&>().emplace_back();
  }

  bool open(Json&& container) {
    ++events_;
    if (open_.size() >= kDeepest) return fail("nested deeper than " + std::to_string(kDeepest));
    Json& value = place();
    value = std::move(container);
    open_.push_back({&value});
    return true;
  }

  bool close() {
    ++events_;
    const bool row = is_row();
    open_.pop_back();
    finish_member();
    if (!row) return true;
    Open& list = open_.back();
    auto& rows = list.value->get_ref<Json::array_t&>();
    if (sink_(root_, rows.back(), list.taken + rows.size() - 1)) {
      rows.pop_back();
      ++list.taken;
    }
    return true;
  }

  bool is_row() const {
    return sink_ && open_.size() == 3 && open_[2].value->is_object() && open_[1].value->is_array() &&
           open_[0].value->is_object() && *open_[0].key == "benchmarks";
  }

  bool fail(const std::string& what) {
    error_ = printable(place_text(pointer()) + ": " + what);
    return false;
  }

  // To the value that is being read.
  Json::json_pointer pointer() const {
    Json::json_pointer place;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const Open& container = open_[i];
      if (container.value->is_array()) {
        const std::size_t being_read = i + 1 < open_.size() ? 1 : 0;
        place /= container.taken + container.value->size() - being_read;
      } else if (container.key != nullptr) {
        place /= *container.key;
      }
    }
    return place;
  }

  const RowSink& sink_;
  Duplicates duplicates_;
  std::size_t size_ = std::string::npos;
  bool cut_short_ = false;
  std::uint64_t events_ = 0;
  std::vector<Open> open_;
  Json root_;
  std::string error_;
};

// A text, or a file of which a piece is in memory, as the standard stream that nlohmann's parser reads: one parser is
// compiled for both. Ends where the parser takes too much without an event.
class Characters final : public std::streambuf {
 public:
  Characters(std::string_view text, Builder& builder)
      : builder_(builder), text_(text), has_nul_(text.find('\0') != std::string_view::npos) {}
  Characters(files::FileReader& file, Builder& builder) : builder_(builder), file_(&file), piece_(kPiece) {}

  bool has_nul() const { return has_nul_; }
  bool too_long() const { return silent_bytes_ > kLongestToken; }

 private:
  int_type underflow() override {
    const std::span<char> next = file_ == nullptr ? next_of_text() : next_of_file();
    silent_bytes_ = builder_.events() == events_ ? silent_bytes_ + next.size() : 0;
    events_ = builder_.events();
    size_ += next.size();
    if (next.empty()) builder_.ends_after(size_);
    if (next.empty() || too_long()) return traits_type::eof();
    setg(next.data(), next.data(), next.data() + next.size());
    return traits_type::to_int_type(next.front());
  }

  std::span<char> next_of_text() {
    char* begin = const_cast<char*>(text_.data());  // nothing is put back or written
    const std::size_t count = std::min(kPiece, text_.size());
    text_.remove_prefix(count);
    return {begin, count};
  }

  std::span<char> next_of_file() {
    const std::size_t count = file_->read(piece_.data(), piece_.size());
    has_nul_ = has_nul_ || std::memchr(piece_.data(), 0, count) != nullptr;
    return {piece_.data(), count};
  }

  Builder& builder_;
  std::string_view text_;
  files::FileReader* file_ = nullptr;
  std::vector<char> piece_;
  std::uint64_t events_ = 0;
  std::size_t size_ = 0, silent_bytes_ = 0;
  bool has_nul_ = false;
};

Parsed parse(Characters&& characters, Builder& builder) {
  std::istream stream(&characters);
  Json::sax_parse(stream, &builder);
  return builder.take(characters.has_nul(), characters.too_long());
}

}  // namespace

Parsed parse(std::string_view text, const RowSink& sink, Duplicates duplicates) {
  Builder builder(sink, duplicates);
  return parse(Characters(text, builder), builder);
}

Parsed parse(files::FileReader& file, const RowSink& sink) {
  Builder builder(sink, Duplicates::refused);
  return parse(Characters(file, builder), builder);
}

std::string lines(const Json& value, int levels) {
  const auto is_structured = [](const Json& element) { return element.is_structured(); };
  if (levels == 0 || !value.is_structured() || std::ranges::none_of(value, is_structured)) {
    return value.dump(-1, ' ', true, Json::error_handler_t::replace);
  }
  std::string text;
  for (const auto& [key, element] : value.items()) {
    text += text.empty() ? "\n" : ",\n";
    if (value.is_object()) text += line(key) + ": ";
    text += lines(element, levels - 1);
  }
  return value.is_object() ? '{' + text + "\n}" : '[' + text + "\n]";
}

std::string place_text(const Json::json_pointer& place) {
  return place.empty() ? "the whole" : "field " + place.to_string();
}

const char* kind(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return "true or false";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a string";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return "a whole number";
    default:
      return "a number";
  }
}

}  // namespace cupel::record::detail
