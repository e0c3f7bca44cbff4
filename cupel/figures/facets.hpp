// The benchmarks of one operation as lines over one of their parameters: which parameter is the axis, which ones tell
// lines apart, and which lines fit one chart. The figures may be of several machines.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"

namespace cupel::figures {

/// Returns the value of a parameter; empty where the benchmark does not have it.
std::string param_of(const Figure& figure, const std::string& key);

/// Returns the values of one parameter, in order of appearance.
std::vector<std::string> values_of(std::span<const Figure* const> figures, const std::string& key);

/// Returns the parameter to draw over: of those with three or more values, all of them numbers, one that counts bytes,
/// else the one with most values.
std::optional<std::string> axis_of(std::span<const Figure* const> figures);

/// Returns the parameter whose values are ways to do the same work, to be ranked by their times: an engine, an
/// algorithm or a plan. Nothing where no two figures differ in one.
std::optional<std::string> ranked_key(std::span<const Figure* const> figures);

/// Returns the parameters that tell lines apart: all but the axis that have more than one value.
std::vector<std::string> varying_keys(std::span<const Figure* const> figures, const std::string& axis);

/// Returns these parameters as text: "memory:pinned steps:4".
std::string line_label(const Figure& figure, const std::vector<std::string>& keys);

/// Part of what was given, as one chart has it.
struct Facet {
  std::string label;                 ///< what its members share
  std::vector<std::size_t> members;  ///< their places in what was given, in order
};

/// Tells whether they make no more than `most` lines, whatever the machine.
bool has_room(std::span<const Figure* const> figures, const std::string& axis, std::size_t most);

/// Divides the figures by the parameters with fewest values until no part has more than `most` lines. The values of the
/// last parameter are for comparison and stay together where they are no more than `most_of_last`; more are divided
/// into parts of `most`.
std::vector<Facet> facets_of(std::span<const Figure* const> figures, const std::string& axis, std::size_t most,
                             std::size_t most_of_last);

/// Puts figures that differ in this parameter alone together, in order of appearance.
std::vector<Facet> problems_of(std::span<const Figure* const> figures, const std::string& key);

}  // namespace cupel::figures
