#include "cupel/units/utf8.hpp"

#include <algorithm>
#include <cstdint>

namespace cupel::units {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

bool continues(std::string_view text, std::size_t i) { return i < text.size() && is_continuation(text[i]); }

// A code point, or a byte that is not part of one.
struct Piece {
  char32_t code = 0;
  std::string_view bytes;
  bool valid = false;
};

// The sequence that starts at the front of text.
Piece next(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = character_length(text);
  if (length == 0) return {first, text.substr(0, 1), false};
  char32_t code = length == 1 ? first : first & (0x7fu >> length);
  for (const char c : text.substr(1, length - 1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3fu);
  return {code, text.substr(0, length), true};
}

// Reorders, hides or breaks lines of the text around it, or is no character at all.
bool is_deceptive(char32_t code) {
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0x061c || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
         (code & 0xfffe) == 0xfffe || (code >= 0xe0000 && code <= 0xe007f) || code == 0x00ad;
}

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7f && code <= 0x9f); }

std::string hexadecimal(char32_t code, std::size_t digits) {
  std::string text;
  for (auto rest = static_cast<std::uint32_t>(code); rest > 0 || text.size() < digits; rest /= 16)
    text.insert(text.begin(), "0123456789abcdef"[rest % 16]);
  return text;
}

void append_visible(std::string& out, const Piece& piece) {
  if (!piece.valid || is_control(piece.code)) {
    const std::size_t named = std::string_view("\n\r\t").find(static_cast<char>(piece.code));
    out += named < 3 ? std::string{'\\', "nrt"[named]} : "\\x" + hexadecimal(piece.code, 2);
  } else if (is_deceptive(piece.code)) {
    out += "\\u{" + hexadecimal(piece.code, 4) + "}";
  } else {
    out += piece.bytes;
  }
}

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

std::string visible(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; })) return std::string(text);
  std::string out;
  out.reserve(text.size() + 2);
  while (!text.empty()) {
    const Piece piece = next(text);
    append_visible(out, piece);
    text.remove_prefix(piece.bytes.size());
  }
  return out;
}

std::string visible_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    out += visible(text.substr(0, end)) + '\n';
    text.remove_prefix(end + 1);
  }
  return out + visible(text);
}

std::size_t display_width(std::string_view text) {
  constexpr char kBegin = '\x1b', kEnd = 'm';  // of a colour's code
  std::size_t width = 0;
  while (!text.empty()) {
    const std::string_view words = text.substr(0, text.find(kBegin));
    width += words.size() - static_cast<std::size_t>(std::ranges::count_if(words, is_continuation));
    text.remove_prefix(words.size());
    text.remove_prefix(text.empty() ? 0 : std::min(text.find(kEnd), text.size() - 1) + 1);
  }
  return width;
}

std::size_t bytes_of_columns(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size(); ++bytes) {
    if (!is_continuation(text[bytes]) && seen++ == columns) break;
  }
  return bytes;
}

std::string shorten(std::string_view text, std::size_t longest) {
  const std::string escaped = visible(text);
  const std::size_t bytes = bytes_of_columns(escaped, longest);
  if (bytes == escaped.size()) return escaped;
  return escaped.substr(0, bytes) + "... (" + std::to_string(escaped.size()) + " bytes)";
}

std::string replaced(std::string_view text, std::initializer_list<Replacement> replacements) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const auto known = std::ranges::find(replacements, c, &Replacement::first);
    out += known == replacements.end() ? std::string_view(&c, 1) : known->second;
  }
  return out;
}

}  // namespace cupel::units
