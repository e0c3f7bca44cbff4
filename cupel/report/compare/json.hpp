// A comparison's row for programs, by the one list of its fields (fields.hpp), of which compare and gate each print
// their own.
#pragma once

#include "cupel/compare/comparison.hpp"
#include "cupel/record/data.hpp"

namespace cupel::report {

/// All fields in base units, nothing rounded; a member without a value is absent or null.
record::detail::Json comparison_json(const compare::Comparison& row);

}  // namespace cupel::report
