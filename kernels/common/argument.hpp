// Refuses what a launcher cannot work with, where it is asked for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace cupel::kernels {

/// Throws std::invalid_argument "<function>: <argument> must be <rule>" unless `holds`.
void require_argument(bool holds, std::string_view function, std::string_view argument, std::string_view rule);

/// An array of `count` elements of `element_bytes` each: count is not negative, and unless it is 0 the address is there
/// and a multiple of the element's size. Throws std::invalid_argument that names the argument.
void require_array(const void* array, std::int64_t count, std::int64_t element_bytes, std::string_view function,
                   std::string_view argument);

struct NamedArray {
  const void* array;
  std::string_view argument;
};

/// require_array() of each, all of them as long.
void require_arrays(std::initializer_list<NamedArray> arrays, std::int64_t count, std::int64_t element_bytes,
                    std::string_view function);

}  // namespace cupel::kernels
