#include "cupel/figures/items.hpp"

#include <algorithm>
#include <limits>

#include "cupel/figures/names.hpp"
#include "cupel/figures/quantity.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::figures {
namespace {

// "eng1/time" is of the item "eng1".
std::string item_of(const CounterValue& counter) { return counter.name.substr(0, counter.name.rfind('/')); }

double item_time(const Item& item) {
  const CounterValue* time = item.find(kItemTime);
  return time == nullptr ? std::numeric_limits<double>::infinity() : time->value;
}

}  // namespace

const CounterValue* Item::find(const std::string& what) const {
  const auto found = counters.find(what);
  return found == counters.end() ? nullptr : found->second;
}

bool is_of_item(const CounterValue& counter) { return counter.name.find('/') != std::string::npos; }

std::vector<Item> items_of(const Figure& figure) {
  std::vector<Item> all;
  for (const CounterValue& counter : figure.counters) {
    if (!is_of_item(counter)) continue;
    const std::string name = item_of(counter);
    units::entry(all, name, &Item::name).counters[counter.name.substr(name.size() + 1)] = &counter;
  }
  std::ranges::sort(all, [](const Item& a, const Item& b) {
    return item_time(a) != item_time(b) ? item_time(a) < item_time(b) : natural_less(a.name, b.name);
  });
  return all;
}

bool is_yes_or_no(const std::vector<Item>& all, const std::string& what) {
  return what != kRelativeError && std::ranges::all_of(all, [&](const Item& item) {
           const CounterValue* counter = item.find(what);
           return counter == nullptr || (counter->unit == "1" && (counter->value == 0 || counter->value == 1));
         });
}

}  // namespace cupel::figures
