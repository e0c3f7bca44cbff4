// The items that a benchmark tried, one by one: counters named "<item>/<what>", such as the engines of a search for the
// fastest.
#pragma once

#include <cstddef>

#include "cupel/figures/figure.hpp"

namespace cupel::report {

/// Whether it belongs to an item: "eng1/time".
bool is_of_item(const figures::CounterValue& counter);

/// How many items the benchmark has counters of.
std::size_t items_of(const figures::Figure& figure);

}  // namespace cupel::report
