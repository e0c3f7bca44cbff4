// The benchmarks of an operation that stand side by side: those that differ in one parameter of the name, so that a
// table has a row for each workload and a column for each way of doing it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/figures/figure.hpp"

namespace cupel::figures {

/// The parts of a name, as parameter and value; a part without ':' has no parameter.
using Parts = std::vector<std::pair<std::string, std::string>>;
/// Returns the parts of a name after its operation.
Parts parts_of(const std::string& name);

/// Returns the parts as text: "memory:pinned bytes:4 KiB".
std::string text_of(const Parts& parts);

/// Returns the parts that all names have; empty if these are the whole name. names: not empty.
Parts common_parts(const std::vector<std::string>& names);

/// Returns what label_of() does, without the parts that are said elsewhere.
std::string label_without(const std::string& name, const Parts& common);

/// Benchmarks of one operation whose names have the same parameters.
struct Alike {
  std::string operation;
  std::vector<std::string> parameters;  ///< in the order of the names
  std::vector<const Figure*> members;   ///< in the order given
};

/// Groups the figures, in order of first appearance. The figures must outlive it.
std::vector<Alike> alike(const std::vector<Figure>& all);

/// A table of the benchmarks of one operation, with one parameter across.
struct Pivot {
  /// A row of the table.
  struct Line {
    std::vector<std::string> values;   ///< of `parameters`
    std::vector<const Figure*> cells;  ///< one a column, null where there is no such benchmark
  };

  std::string operation;
  Parts common;                         ///< parts that all names have
  std::vector<std::string> parameters;  ///< tell the rows apart
  std::string across;                   ///< tells the columns apart
  std::vector<std::string> columns;     ///< values of `across`
  std::vector<Line> rows;

  std::size_t cells() const;  ///< returns the number of filled cells
};

/// Returns the parameters that may be `across`, the best first: those whose benchmarks a piece of advice compares
/// before others, words before numbers, which are steps of a sweep, then those that leave fewest rows, then the first
/// of the name. With each there are two rows and two columns or more, and at least half of the cells are filled.
std::vector<std::string> across_candidates(const Alike& group);

/// Makes the table, rows and columns in the order in which their values appear, numbers by size. Nothing if the group
/// has no such parameter, or one value of it, or for a large table that is mostly gaps.
std::optional<Pivot> pivot(const Alike& group, const std::string& across);

/// Leaves out rows and columns whose benchmarks are missing or skipped throughout.
Pivot without_skipped(Pivot pivot);

}  // namespace cupel::figures
