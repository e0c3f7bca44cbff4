// Records to JSON trees. Internal to cupel/record.
#pragma once

#include "cupel/record/record.hpp"
#include "cupel/record/tree.hpp"

namespace cupel::record::detail {

/// True if the row has a time to report. The others stand under context.cupel.not_measured: Google's tools do not look
/// at error_occurred and would take an absent or zero time for a crash or for the best speed-up of all.
bool is_measured(const Row&);

/// The context as it stands in a file. unknown is merged back where it was.
Value encode(const Context&);

/// What Google Benchmark's format says of a row beside its own fields.
struct Placement {
  std::int64_t family_index = 0;  ///< ordinal of the row's name among the file's names
  std::int64_t repetitions = 1;   ///< processes
};

/// An element of `benchmarks`; of a row without a time, an element of context.cupel.not_measured.
Value encode(const Row&, const Placement&);

Value encode(const ResultSet&);

// Each leaves out what says nothing: an empty text, list or optional, a number that is not finite.
void put(Object&, const char* key, const std::string&);
void put(Object&, const char* key, Value);

Value encode_params(const std::vector<std::pair<std::string, std::string>>&);
Value encode_advice(const std::vector<AdviceTag>&);

}  // namespace cupel::record::detail
