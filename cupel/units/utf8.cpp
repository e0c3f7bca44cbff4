#include "cupel/units/utf8.hpp"

#include <algorithm>

namespace cupel::units {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

bool continues(std::string_view text, std::size_t i) { return i < text.size() && is_continuation(text[i]); }

}  // namespace

// Table 3-7 of the Unicode standard.
std::size_t character_length(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4 || !continues(text, 1)) return 0;
  if (first < 0xe0) return 2;
  const unsigned second = byte_at(text, 1);
  if (first < 0xf0) {
    const bool overlong = first == 0xe0 && second < 0xa0;
    const bool surrogate = first == 0xed && second > 0x9f;
    return !overlong && !surrogate && continues(text, 2) ? 3 : 0;
  }
  const bool overlong = first == 0xf0 && second < 0x90;
  const bool too_large = first == 0xf4 && second > 0x8f;
  return !overlong && !too_large && continues(text, 2) && continues(text, 3) ? 4 : 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

std::size_t bytes_of_columns(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size(); ++bytes) {
    if (!is_continuation(text[bytes]) && seen++ == columns) break;
  }
  return bytes;
}

}  // namespace cupel::units
