// What a benchmark tried, one by one: counters named "<item>/<what>", such as the engines of a search for the fastest.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "cupel/figures/figure.hpp"
#include "cupel/record/record.hpp"

namespace cupel::report {

/// Whether it belongs to an item: "eng1/time".
bool is_of_item(const figures::CounterValue& counter);

/// How many items the benchmark has counters of.
std::size_t items_of(const figures::Figure& figure);

/// An array: of each benchmark with such counters its items, in the order of show_items(), with all their counters, and
/// the counters of none. Base units; ends with a newline. Empty if no benchmark has any.
std::string items_json(const record::ResultSet& results, const std::function<bool(const std::string&)>& keep);

/// A table for each benchmark with such counters: a row an item, the fastest first and those without a time last, a
/// column for each what, and one of letters for what is only yes or no. In text, columns that do not fit into `columns`
/// are left out, which is said. keep: of a name; empty: all. Ends with a newline; empty if no benchmark has any.
std::string show_items(const record::ResultSet& results, bool markdown, std::size_t columns,
                       const std::function<bool(const std::string&)>& keep);

}  // namespace cupel::report
