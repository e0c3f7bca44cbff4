// Which stage of an input pipeline binds, and what to change about it: what the benchmarks of loaders say in their
// notes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupel/record/forward.hpp"

namespace cupel::advice {

/// One stage, one remedy, and the loaders of which both were said.
struct Bottleneck {
  std::string stage;               ///< "decode"
  std::string change;              ///< "more workers, up to 8"
  std::vector<std::string> names;  ///< of the benchmarks, in the order of the file
};

/// From the notes "bound:decode; more workers, up to 8" of rows that are ok, in the order in which they first appear.
/// Where processes of a benchmark say different things, what most of them say; of equals the first.
std::vector<Bottleneck> bottlenecks(std::span<const record::Row> rows);

}  // namespace cupel::advice
