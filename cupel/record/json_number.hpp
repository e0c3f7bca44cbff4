// A number as JSON's grammar has it. For the sources of this project; not for users of the library.
#pragma once

#include <cstddef>
#include <string_view>

namespace cupel::record::detail {

/// A number at the beginning of a text.
struct Number {
  std::size_t size = 0;  ///< bytes; 0: there is none
  bool is_whole = true;  ///< it has neither a fraction nor an exponent
};

/// Finds the number at the beginning of a text, whatever comes after it.
Number number_at(std::string_view text);

/// Tells whether std::from_chars() may read a number at the beginning of a text: "05", "5.", ".5" and "inf", which it
/// reads too, are no JSON.
bool begins_number(std::string_view text);

}  // namespace cupel::record::detail
