#include "cupel/record/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <istream>
#include <span>
#include <streambuf>
#include <utility>
#include <vector>

#include "cupel/files/input_file.hpp"
#include "cupel/record/json_number.hpp"
#include "cupel/units/printable.hpp"

namespace cupel::record::detail {
namespace {

constexpr std::size_t kLongestQuote = 200;       // of the text, in an error message
constexpr std::size_t kPiece = 1 << 18;          // of a file in memory: the samples of one process are in one
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

// The part of a text that the parser was not given, and does not count.
struct KeptBack {
  std::size_t lines = 0;
  std::ptrdiff_t columns = 0;  // of its line; below 0 where a line ends in what was kept back
};

// Adds to a number that stands in a text behind a word.
std::string with_more(std::string text, std::string_view word, std::ptrdiff_t more) {
  const std::size_t found = text.find(word), begin = found + word.size();
  std::ptrdiff_t number = 0;
  if (found == std::string::npos) return text;
  const char* end = std::from_chars(text.data() + begin, text.data() + text.size(), number).ptr;
  return text.replace(begin, static_cast<std::size_t>(end - text.data()) - begin, std::to_string(number + more));
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
  bool number(number_float_t value) { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON has none
  bool start_object(std::size_t) override {
    if (!open(Json::object())) return false;
    open_.back().value->get_ref<Json::object_t&>().reserve(kUsualMembers);
    return true;
  }
  bool start_array(std::size_t) override {
    if (!open(Json::array())) return false;
    opened_list_ = events_;
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
    // emplace_back() and not nlohmann's own insertion, which searches all keys: that would be quadratic.
    const auto& [key, value] = open_.back().value->get_ref<Json::object_t&>().emplace_back(std::move(name), nullptr);
    open_.back().key = &key;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    cut_short_ = position > size_;  // the parser asked for more than there is
    if (size_ == 0) return error_ = "is empty", false;
    const std::string what = with_whole_place(shown(error.what()), position);
    return fail(cut_short_ ? what.substr(0, what.find(": ")) + ": the text ends there, it was cut off" : what);
  }

  /// Returns the number of the parser's events.
  std::uint64_t events() const { return events_; }

  /// The last event opened a list, whose first element is next.
  bool has_opened_list() const { return events_ > 0 && opened_list_ == events_; }

  /// The next value, if there is one, is an element of the list `benchmarks`.
  bool is_in_rows() const { return open_.size() == 2 && is_in_list_of_rows(); }

  /// Gives the sink a text that begins with an element of that list.
  Taken take_row(std::string_view text) {
    if (!sink_.text) return {};
    Open& list = open_.back();
    const Taken row = sink_.text(root_, text, list.taken + list.value->size());
    if (row.size == 0) return row;
    ++list.taken;
    ++events_;
    return row;
  }

  /// Records that the parser was given `size` bytes and gets more now, and what of the text was kept back from it.
  void goes_on(std::size_t size, const KeptBack& kept_back) { given_ = size, kept_back_ = kept_back; }

  /// Records that the text was read to its end; the parser was given `size` bytes of it.
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
    if (sink_.tree(root_, rows.back(), list.taken + rows.size() - 1)) {
      rows.pop_back();
      ++list.taken;
    }
    return true;
  }

  bool is_row() const { return sink_.tree && open_.size() == 3 && open_[2].value->is_object() && is_in_list_of_rows(); }

  bool is_in_list_of_rows() const {
    return open_[1].value->is_array() && open_[0].value->is_object() && *open_[0].key == "benchmarks";
  }

  // nlohmann's message, which counts only what the parser was given. Columns were kept back of the line of the error
  // unless that begins within what was given last.
  std::string with_whole_place(std::string what, std::size_t position) const {
    constexpr std::string_view kLine = "at line ", kColumn = ", column ";
    const std::size_t found = what.find(kColumn);
    if (found == std::string::npos) return what;
    std::size_t column = 0;
    std::from_chars(what.data() + found + kColumn.size(), what.data() + what.size(), column);
    what = with_more(std::move(what), kLine, static_cast<std::ptrdiff_t>(kept_back_.lines));
    return column <= position - given_ ? what : with_more(std::move(what), kColumn, kept_back_.columns);
  }

  bool fail(const std::string& what) {
    error_ = printable(place_text(pointer()) + what);
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
  std::uint64_t events_ = 0, opened_list_ = 0;
  std::size_t given_ = 0;
  KeptBack kept_back_;
  std::vector<Open> open_;
  Json root_;
  std::string error_;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Adds a number to the list that was opened; false where it is out of the range of its type.
template <typename T>
bool add_number(std::string_view text, bool (Builder::*add)(T), Builder& builder) {
  T value{};
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return false;
  return (builder.*add)(value);
}

bool add_number(std::string_view text, bool is_whole, Builder& builder) {
  if (!is_whole) return add_number(text, &Builder::number, builder);
  if (text.starts_with('-')) return add_number(text, &Builder::number_integer, builder);
  return add_number(text, &Builder::number_unsigned, builder);
}

// A text, or a file of which a piece is in memory, as the standard stream that nlohmann's parser reads: one parser is
// compiled for both. Ends where the parser takes too much without an event. Rows that the sink takes as text, and lists
// of numbers in the others, go past the parser from here, in a fraction of its time; it is given the last of each, and
// whatever may be none.
class Characters final : public std::streambuf {
 public:
  Characters(std::string_view text, Builder& builder)
      : builder_(builder), rest_(text), has_nul_(text.find('\0') != std::string_view::npos) {}
  Characters(files::FileReader& file, Builder& builder) : builder_(builder), file_(&file), piece_(kPiece) {}

  bool has_nul() const { return has_nul_; }
  bool too_long() const { return silent_bytes_ > kLongestToken; }

 private:
  int_type underflow() override {
    const std::string_view given(eback(), egptr());
    count_columns(given);
    const bool has_opened_list = builder_.has_opened_list() && builder_.events() != events_;
    if ((has_opened_list || given.ends_with(",\n")) && builder_.is_in_rows()) take_rows();
    if (has_opened_list) take_numbers();
    if (rest_.empty()) read_on();
    const std::string_view next = rest_.substr(0, next_size());
    rest_.remove_prefix(next.size());
    silent_bytes_ = builder_.events() == events_ ? silent_bytes_ + next.size() : 0;
    events_ = builder_.events();
    builder_.goes_on(size_, kept_back_);
    size_ += next.size();
    if (next.empty()) builder_.ends_after(size_);
    if (next.empty() || too_long()) return traits_type::eof();
    char* begin = const_cast<char*>(next.data());  // nothing is put back or written
    setg(begin, begin, begin + next.size());
    return traits_type::to_int_type(next.front());
  }

  // No more than to the next bracket, or to the end of a line before an object: so underflow() is called wherever a
  // list may have been opened, or a row may begin.
  std::size_t next_size() const {
    const std::string_view next = rest_.substr(0, std::min(rest_.find('['), kPiece - 1) + 1);
    return std::min(next.find("\n{"), next.size() - 1) + 1;
  }

  // Takes the rows that another one follows.
  void take_rows() {
    while (true) {
      const Taken row = builder_.take_row(rest_);
      keep_back(row.size);
      const std::size_t had = rest_.size();
      if (row.ran_out) read_on();
      if (row.size == 0 && rest_.size() == had) return;
    }
  }

  // Takes the numbers that another one follows: what is no list of numbers is left to the parser to refuse.
  void take_numbers() {
    if (rest_.find(']') == std::string_view::npos) read_on();
    while (true) {
      const Number number = number_at(rest_);
      const std::string_view next = rest_.substr(number.size);
      if (number.size == 0 || next.size() < 2 || next[0] != ',' || !(is_digit(next[1]) || next[1] == '-')) break;
      if (!add_number(rest_.substr(0, number.size), number.is_whole, builder_)) break;
      keep_back(number.size + 1);
    }
  }

  // Passes over what the parser is not to be given. Behind the end of a line its columns count from there, whatever the
  // parser counts.
  void keep_back(std::size_t size) {
    std::string_view kept = rest_.substr(0, size);
    rest_.remove_prefix(size);
    for (std::size_t end = 0; (end = kept.find('\n')) != std::string_view::npos; kept.remove_prefix(end + 1)) {
      ++kept_back_.lines;
      kept_back_.columns = -columns_;
    }
    kept_back_.columns += static_cast<std::ptrdiff_t>(kept.size());
  }

  // Counts what the parser was given of its line.
  void count_columns(std::string_view given) {
    const std::size_t end_of_line = given.rfind('\n');
    if (end_of_line != std::string_view::npos) columns_ = 0, kept_back_.columns = 0;
    columns_ += static_cast<std::ptrdiff_t>(given.size() - (end_of_line + 1));  // npos + 1 is 0
  }

  // Reads more of the file behind what is left of its piece.
  void read_on() {
    if (file_ == nullptr) return;
    std::ranges::copy(rest_, piece_.begin());
    char* behind = piece_.data() + rest_.size();
    const std::size_t count = file_->read(behind, piece_.size() - rest_.size());
    has_nul_ = has_nul_ || std::memchr(behind, 0, count) != nullptr;
    rest_ = {piece_.data(), rest_.size() + count};
  }

  Builder& builder_;
  std::string_view rest_;  // in memory, and not yet given to the parser
  files::FileReader* file_ = nullptr;
  std::vector<char> piece_;
  std::uint64_t events_ = 0;
  std::size_t size_ = 0, silent_bytes_ = 0;
  std::ptrdiff_t columns_ = 0;
  KeptBack kept_back_;
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
  return place.empty() ? "" : "field " + place.to_string() + ": ";
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
