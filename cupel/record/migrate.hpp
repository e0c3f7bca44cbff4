// Older majors to this one, a step a major. Internal to cupel/record.
#pragma once

#include <vector>

#include "cupel/record/tree.hpp"

namespace cupel::record::detail {

/// Turns a file of one major into the next. Pure: the tree in, the tree out. A field that is not there or of the wrong
/// type is left alone; the reader complains afterwards.
using MigrationStep = Value (*)(Value);

/// steps()[m - first_major()] makes major m + 1 of major m; empty while there is one major.
struct Migration {
  int first_major = 1;
  std::vector<MigrationStep> steps;

  /// The tree in the newest major. Throws Invalid when no step starts at from_major.
  Value apply(Value tree, int from_major) const;
};

/// All majors that were ever released, up to kSchemaMajor.
const Migration& migration();

}  // namespace cupel::record::detail
