#include "cupel/record/tree.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "cupel/record/text.hpp"

namespace cupel::record::detail {
namespace {

// An object of few plain members, no longer than this, stands on one line.
constexpr std::size_t kFewMembers = 6;
constexpr std::size_t kShortObject = 100;

template <typename T>
void append_number(std::string& out, T value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, end);
}

// Whole numbers are written as such (100000, not 1e+05): JSON does not tell the two apart and people do. This also
// writes -0.0 as 0, which reads back as the same text.
void append_double(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
  } else if (std::abs(value) < static_cast<double>(kExactIntegers) && value == std::trunc(value)) {
    append_number(out, static_cast<std::int64_t>(value));
  } else {
    append_number(out, value);
  }
}

void append_string(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

class Writer {
 public:
  explicit Writer(bool indented) : indented_(indented), spaced_(indented) {}

  void write(const Value& value) {
    std::visit([this](const auto& data) { write_data(data); }, value.data);
  }

  std::string take() { return std::move(out_); }

 private:
  void write_data(std::nullptr_t) { out_ += "null"; }
  void write_data(bool value) { out_ += value ? "true" : "false"; }
  void write_data(std::int64_t value) { append_number(out_, value); }
  void write_data(std::uint64_t value) { append_number(out_, value); }
  void write_data(double value) { append_double(out_, value); }
  void write_data(const std::string& text) {
    if (is_utf8(text)) {
      append_string(out_, text);
    } else {
      append_string(out_, to_utf8(text));
    }
  }

  void write_data(const Numbers& numbers) {
    out_ += '[';
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (i > 0) {
        out_ += spaced_ ? ", " : ",";
      }
      append_double(out_, numbers[i]);
    }
    out_ += ']';
  }

  void write_data(const Array& array) {
    const bool lines = indented_ && std::any_of(array.begin(), array.end(), [](const Value& v) {
                         return v.as<Object>() != nullptr || v.as<Array>() != nullptr;
                       });
    out_ += '[';
    ++depth_;
    for (std::size_t i = 0; i < array.size(); ++i) {
      separate(i, lines);
      write(array[i]);
    }
    --depth_;
    if (lines) {
      new_line();
    }
    out_ += ']';
  }

  void write_data(const Object& object) {
    if (fits_line(object)) {
      Writer line(false);
      line.spaced_ = true;
      line.write_data(object);
      const std::string text = line.take();
      if (text.size() <= kShortObject) {
        out_ += text;
        return;
      }
    }
    write_members(object);
  }

  void write_members(const Object& object) {
    out_ += '{';
    ++depth_;
    for (std::size_t i = 0; i < object.size(); ++i) {
      separate(i, indented_);
      write_data(object[i].key);
      out_ += spaced_ ? ": " : ":";
      write(object[i].value);
    }
    --depth_;
    if (indented_ && !object.empty()) {
      new_line();
    }
    out_ += '}';
  }

  bool fits_line(const Object& object) const {
    return indented_ && object.size() <= kFewMembers && std::none_of(object.begin(), object.end(), [](const Member& m) {
             return m.value.as<Object>() != nullptr || m.value.as<Array>() != nullptr ||
                    m.value.as<Numbers>() != nullptr;
           });
  }

  void separate(std::size_t index, bool lines) {
    if (index > 0) {
      out_ += ',';
    }
    if (lines) {
      new_line();
    } else if (spaced_ && index > 0) {
      out_ += ' ';
    }
  }

  void new_line() {
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  bool indented_;
  bool spaced_;
  std::size_t depth_ = 0;
  std::string out_;
};

Value* child(Value& parent, const std::string& token) {
  if (Object* object = parent.as<Object>()) {
    return find(*object, token);
  }
  if (Array* array = parent.as<Array>()) {
    std::size_t index = 0;
    const char* end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, index);
    return error == std::errc() && stop == end && index < array->size() ? &(*array)[index] : nullptr;
  }
  return nullptr;
}

}  // namespace

const Value* find(const Object& object, std::string_view key) {
  const auto found = std::find_if(object.begin(), object.end(), [key](const Member& m) { return m.key == key; });
  return found == object.end() ? nullptr : &found->value;
}

Value* find(Object& object, std::string_view key) {
  return const_cast<Value*>(find(static_cast<const Object&>(object), key));
}

const char* kind(const Value& value) {
  constexpr const char* kKinds[] = {"null",     "true or false", "a whole number", "a whole number", "a number",
                                    "a string", "a list",        "a list",         "an object"};
  return kKinds[value.data.index()];
}

std::string dump(const Value& value) {
  Writer writer(true);
  writer.write(value);
  return writer.take();
}

std::string dump_line(const Value& value) {
  Writer writer(false);
  writer.write(value);
  return writer.take();
}

Value* at_pointer(Value& root, std::string_view pointer) {
  Value* value = &root;
  while (value != nullptr && !pointer.empty()) {
    pointer.remove_prefix(1);  // the slash
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    value = child(*value, pointer_key(pointer.substr(0, end)));
    pointer.remove_prefix(end);
  }
  return value;
}

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::string pointer_key(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size()) {
      text += token[++i] == '1' ? '/' : '~';
    } else {
      text += token[i];
    }
  }
  return text;
}

}  // namespace cupel::record::detail
