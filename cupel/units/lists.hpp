// Lists as text, and what of them is wanted.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace cupel::units {

/// The texts of a list or a view, one after another.
template <std::ranges::input_range Texts>
std::string joined(Texts&& texts, std::string_view between = ", ") {
  std::string all;
  bool is_first = true;
  for (const auto& text : texts) {
    if (!is_first) all += between;
    is_first = false;
    all += text;
  }
  return all;
}

/// Puts a part behind a text, `between` them where both have something to say.
inline void append(std::string& text, std::string_view part, std::string_view between = ", ") {
  if (!text.empty() && !part.empty()) text += between;
  text += part;
}

/// The element whose member is the key; where there is none, a new one at the end.
template <class Element, class Key>
Element& entry(std::vector<Element>& list, const Key& key, Key Element::*member) {
  const auto found = std::ranges::find(list, key, member);
  if (found != list.end()) return *found;
  Element& added = list.emplace_back();
  added.*member = key;
  return added;
}

/// The elements of which that is so, in their order. The list must outlive them.
template <class List, class Is>
auto filtered(const List& list, const Is& is) {
  std::vector<const std::ranges::range_value_t<List>*> found;
  for (const auto& element : list) {
    if (std::invoke(is, element)) found.push_back(&element);
  }
  return found;
}

template <std::ranges::input_range List, class Value>
bool contains(const List& list, const Value& value) {
  return std::ranges::find(list, value) != std::ranges::end(list);
}

/// Behind the others, unless it is among them.
template <class Value>
void add_once(std::vector<Value>& list, const Value& value) {
  if (!contains(list, value)) list.push_back(value);
}

/// "2.09 us to 2.22 us", one of them where they read alike.
inline std::string range_text(const std::string& low, const std::string& high) {
  return low == high ? low : low + " to " + high;
}

/// The value that occurs most often, the least of several; nothing of none.
template <class Value>
std::optional<Value> most_common(const std::vector<Value>& values) {
  std::map<Value, int> count;
  for (const Value& value : values) ++count[value];
  const auto most = std::ranges::max_element(count, {}, [](const auto& one) { return one.second; });
  return most == count.end() ? std::nullopt : std::optional(most->first);
}

/// Whether they are not all the same.
template <class Value>
bool differ(const std::vector<Value>& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to<>()) != values.end();
}

}  // namespace cupel::units
