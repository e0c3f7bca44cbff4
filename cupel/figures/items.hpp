// The items that a benchmark tried, one by one: counters named "<item>/<what>", such as the engines of a search for the
// fastest.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"

namespace cupel::figures {

/// The counter of an item's time.
inline constexpr const char* kItemTime = "time";

/// An item and its counters, by what they count.
struct Item {
  std::string name;
  std::map<std::string, const CounterValue*> counters;

  /// Returns the counter of this, or null.
  const CounterValue* find(const std::string& what) const;
};

/// Tells whether the counter belongs to an item: "eng1/time".
bool is_of_item(const CounterValue& counter);

/// Returns the items, the fastest first and those without a time last. The figure must outlive them.
std::vector<Item> items_of(const Figure& figure);

/// Tells whether `what` is 0 or 1 in every item.
bool is_yes_or_no(const std::vector<Item>& all, const std::string& what);

}  // namespace cupel::figures
