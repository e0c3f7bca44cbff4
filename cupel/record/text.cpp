#include "cupel/record/text.hpp"

namespace cupel::record::detail {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool continues(std::string_view text, std::size_t i) { return i < text.size() && (byte_at(text, i) & 0xc0) == 0x80; }

// Length of the well-formed character at i, 0 if there is none. Table 3-7 of the Unicode standard.
std::size_t character_length(std::string_view text, std::size_t i) {
  const unsigned first = byte_at(text, i);
  if (first < 0x80) {
    return 1;
  }
  if (first < 0xc2 || first > 0xf4 || !continues(text, i + 1)) {
    return 0;
  }
  if (first < 0xe0) {
    return 2;
  }
  const unsigned second = byte_at(text, i + 1);
  if (first < 0xf0) {
    const bool overlong = first == 0xe0 && second < 0xa0;
    const bool surrogate = first == 0xed && second > 0x9f;
    return !overlong && !surrogate && continues(text, i + 2) ? 3 : 0;
  }
  const bool overlong = first == 0xf0 && second < 0x90;
  const bool too_large = first == 0xf4 && second > 0x8f;
  return !overlong && !too_large && continues(text, i + 2) && continues(text, i + 3) ? 4 : 0;
}

bool is_control(std::string_view text, std::size_t i) {
  const unsigned byte = byte_at(text, i);
  return byte < 0x20 || byte == 0x7f || (byte == 0xc2 && i + 1 < text.size() && byte_at(text, i + 1) < 0xa0);
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0) {
      return false;
    }
    i += length;
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return out;
}

bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control(text, i)) {
      return true;
    }
  }
  return false;
}

std::string printable(std::string_view text) {
  if (is_utf8(text) && !has_control(text)) {
    return std::string(text);
  }
  const std::string valid = to_utf8(text);
  std::string out;
  out.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size();) {
    const std::size_t length = character_length(valid, i);
    out += is_control(valid, i) ? std::string_view(" ") : std::string_view(valid).substr(i, length);
    i += length;
  }
  return out;
}

}  // namespace cupel::record::detail
