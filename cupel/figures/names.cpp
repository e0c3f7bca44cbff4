#include "cupel/figures/names.hpp"

#include <cstdint>

#include "cupel/units/format.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::figures {

std::string family_of(const std::string& name) { return name.substr(0, name.find('/')); }

std::string operation_of(const std::string& name) {
  std::size_t begin = 0;
  for (const std::string& part : units::split(name, '/')) {
    if (units::parameter_colon(part) != std::string::npos) return begin == 0 ? name : name.substr(0, begin - 1);
    begin += part.size() + 1;
  }
  return name;
}

std::string label_of(const std::string& name) {
  const std::string operation = operation_of(name);
  if (operation.size() == name.size()) return name.substr(name.rfind('/') + 1);
  std::string label;
  for (const std::string& part : units::split(std::string_view(name).substr(operation.size() + 1), '/')) {
    label += (label.empty() ? "" : " ") + readable_part(part);
  }
  return label;
}

std::string readable_part(const std::string& part) {
  const std::size_t colon = units::parameter_colon(part);
  if (colon == std::string::npos) return part;
  return part.substr(0, colon + 1) + readable_value(part.substr(0, colon), part.substr(colon + 1));
}

std::string readable_value(const std::string& parameter, const std::string& value) {
  if (!parameter.ends_with("bytes")) return value;
  const std::optional<std::int64_t> bytes = units::number<std::int64_t>(value);
  return bytes ? units::format_size(*bytes) : value;
}

bool natural_less(const std::string& a, const std::string& b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      std::size_t i_end = i, j_end = j;
      while (i_end < a.size() && is_digit(a[i_end])) ++i_end;
      while (j_end < b.size() && is_digit(b[j_end])) ++j_end;
      while (i + 1 < i_end && a[i] == '0') ++i;
      while (j + 1 < j_end && b[j] == '0') ++j;
      if (i_end - i != j_end - j) return i_end - i < j_end - j;
      const int order = a.compare(i, i_end - i, b, j, j_end - j);
      if (order != 0) return order < 0;
      i = i_end;
      j = j_end;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;  // "007" and "7" are one number and two names
}

}  // namespace cupel::figures
