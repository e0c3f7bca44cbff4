// The names of an enumeration's values: the same in files and on every surface.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace cupel::record {

/// An enumeration whose values have names: names_of() beside it gives them in their order. One of another namespace
/// has a using-declaration of to_string() beside it too.
template <typename E>
concept Named = std::is_enum_v<E> && requires(E value) {
  names_of(value).size();
};

/// Returns the name of the value, which is one of the enumeration's.
template <Named E>
constexpr const char* to_string(E value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

}  // namespace cupel::record
