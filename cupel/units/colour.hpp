// Words in colour, for terminals that obey ANSI's control characters.
#pragma once

#include <string>
#include <string_view>

namespace cupel::units {

enum class Colour { green, yellow, red };

inline std::string in_colour(std::string_view words, Colour colour) {
  const char* const code = colour == Colour::green ? "32" : colour == Colour::yellow ? "33" : "31";
  return "\x1b[" + std::string(code) + "m" + std::string(words) + "\x1b[0m";
}

}  // namespace cupel::units
