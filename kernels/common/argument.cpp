#include "kernels/common/argument.hpp"

#include <stdexcept>
#include <string>

namespace cupel::kernels {

void require_argument(bool holds, std::string_view function, std::string_view argument, std::string_view rule) {
  if (holds) return;
  std::string text(function);
  text.append(": ").append(argument).append(" must be ").append(rule);
  throw std::invalid_argument(text);
}

void require_array(const void* array, std::int64_t count, std::int64_t element_bytes, std::string_view function,
                   std::string_view argument) {
  require_argument(count >= 0, function, "count", "0 or more");
  if (count == 0) return;
  require_argument(array != nullptr, function, argument, "an array, not null");
  require_argument(reinterpret_cast<std::uintptr_t>(array) % static_cast<std::uintptr_t>(element_bytes) == 0, function,
                   argument, "at a multiple of its element's size");
}

void require_arrays(std::initializer_list<NamedArray> arrays, std::int64_t count, std::int64_t element_bytes,
                    std::string_view function) {
  for (const auto& [array, argument] : arrays) require_array(array, count, element_bytes, function, argument);
}

}  // namespace cupel::kernels
