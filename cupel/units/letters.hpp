// Letters of ASCII, whatever the locale.
#pragma once

namespace cupel::units {

/// The small letter of a capital one; any other character as it is.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace cupel::units
