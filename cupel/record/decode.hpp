// JSON trees to records. Internal to cupel/record.
#pragma once

#include "cupel/record/fields.hpp"
#include "cupel/record/listing.hpp"
#include "cupel/record/record.hpp"

namespace cupel::record::detail {

/// An element of `benchmarks` or of context.cupel.not_measured. position: where it stood among all rows; -1 unless
/// the element says.
Row decode_row(const Value&, const Path&, Problems&, std::int64_t* position = nullptr);

/// What stands under `context`. rows: those of not_measured, with their positions.
struct PositionedRow {
  Row row;
  std::int64_t position = -1;
};
Context decode_context(const Value&, const Path&, Problems&, std::vector<PositionedRow>* rows = nullptr);

/// The major version that the file says it has; throws Invalid when it says none, or one that is newer than ours.
int schema_major(const Object& root);

void decode(const Value&, const Path&, Reading&, AdviceTag&);
void decode_params(const Value&, const Path&, Reading&, std::vector<std::pair<std::string, std::string>>&);

/// The JSON object that keeps what a reading did not know; empty when it knew everything.
std::string unknown_text(Reading&);

}  // namespace cupel::record::detail
