// A whole result: the context of a run and its rows. Plain data, filled by the harness, read by everything else. A
// reader of one part includes that part's header, a header that only passes results on includes forward.hpp.
#pragma once

#include <vector>

#include "cupel/record/context.hpp"
#include "cupel/record/row.hpp"

namespace cupel::record {

/// The whole of a result file, or of several that were joined.
struct ResultSet {
  Context context;
  std::vector<Row> rows;
  bool operator==(const ResultSet&) const = default;
};

}  // namespace cupel::record
