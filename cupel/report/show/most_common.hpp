// What most figures that stand together have in common, so that only the others need a mark.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace cupel::report {

/// The value that occurs most often, the least of several; nothing of none.
template <class Value>
std::optional<Value> most_common(const std::vector<Value>& values) {
  std::map<Value, int> count;
  for (const Value& value : values) ++count[value];
  std::optional<Value> found;
  int most = 0;
  for (const auto& [value, times] : count) {
    if (times > most) found = value;
    most = std::max(most, times);
  }
  return found;
}

/// Whether they are not all the same.
template <class Value>
bool differ(const std::vector<Value>& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to<>()) != values.end();
}

}  // namespace cupel::report
