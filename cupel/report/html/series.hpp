// The benchmarks of one operation as lines over one of their parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// Values of one parameter, in order of appearance.
std::vector<std::string> values_of(const Members& members, const std::string& key);

/// The value of a parameter; empty where the benchmark does not have it.
std::string param(const Measured& measured, const std::string& key);

/// All keys, in order of appearance.
std::vector<std::string> keys_of(const Members& members);

/// The parameter to draw over: of those with three or more values, all of them numbers, one that counts bytes, else the
/// one with most values.
std::optional<std::string> axis_of(const Members& members);

/// The parameters that tell series apart: all but the axis that have more than one value.
std::vector<std::string> varying_keys(const Members& members, const std::string& axis);

/// "memory:pinned steps:4" of these parameters.
std::string series_label(const Measured& measured, const std::vector<std::string>& keys);

/// Part of an operation that fits one chart, with what its members share.
struct Facet {
  std::string label;
  Members members;
};

/// Divided by the parameters with fewest values until no part has more than `most` series, whatever the device.
std::vector<Facet> facets_of(const Members& members, const std::string& axis, std::size_t most);

}  // namespace cupel::report::html
