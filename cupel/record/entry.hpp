// The entries of a result file: a row and a context, as Google Benchmark's fields with ours under `cupel`. Internal to
// cupel/record.
#pragma once

#include <functional>

#include "cupel/record/decode.hpp"
#include "cupel/record/record.hpp"

namespace cupel::record::detail {

/// Reads an element of `benchmarks` or, with its position, of context.cupel.not_measured.
Row read_row(const Json&, const Path&, Problems&, std::int64_t* position = nullptr);

/// Reads an element of `benchmarks`, as cupel writes it, and the comma behind it, where another object follows; takes
/// nothing of any other text.
Taken read_canonical_row(std::string_view, Row&);

/// A row with its position among all rows, which is -1 unless its entry says it.
struct PositionedRow {
  Row row;
  std::int64_t position = -1;
};

/// Reads what stands under `context`. not_measured, if given, gets the rows without a time.
Context read_context(const Json&, const Path&, Problems&, std::vector<PositionedRow>* not_measured = nullptr);

/// Returns the major version that the file says it has. Throws Invalid when it says none.
int schema_major(const Json& root);

/// Tells whether the row has a time to report. The others stand under context.cupel.not_measured: Google's tools do not
/// look at error_occurred and would take an absent or zero time for a crash or for the best speed-up of all.
bool is_measured(const Row&);

/// The place of a row, which Google Benchmark's format says beside its own fields.
struct Placement {
  std::int64_t family_index = 0;  ///< ordinal of the row's name among the file's names
  std::int64_t repetitions = 1;   ///< processes
};

/// Writes a row or a context; each merges back what was unknown, where it was.
Json write_row(const Row&, const Placement&);
Json write_context(const Context&);

/// Hands each row that was measured to `take`, in order, as an element of `benchmarks`; returns the others, each with
/// its position among all.
Json::array_t write_rows(const ResultSet&, const std::function<void(Json&&)>& take);

/// Writes the whole file but for its `benchmarks`.
Json write_root(const Context&, Json::array_t&& not_measured);

}  // namespace cupel::record::detail
