#include "cupel/units/printable.hpp"

namespace cupel::units {
namespace {

bool is_control(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  return byte < 0x20 || byte == 0x7f ||
         (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0);
}

}  // namespace

bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control(text, i)) return true;
  }
  return false;
}

std::string printable(std::string_view text) {
  const std::string valid = to_utf8(text);
  if (!has_control(valid)) return valid;
  std::string out;
  out.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size();) {
    const std::string_view rest = std::string_view(valid).substr(i);
    const std::size_t length = character_length(rest);
    out += is_control(valid, i) ? std::string_view(" ") : rest.substr(0, length);
    i += length;
  }
  return out;
}

}  // namespace cupel::units
