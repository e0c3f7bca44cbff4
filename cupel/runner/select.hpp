// Which benchmarks a run is about, and what was probably meant when it is about none.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cupel/record/listing.hpp"

namespace cupel::runner {

struct Selection {
  std::vector<std::string> families;  ///< empty: all
  std::vector<std::string> filters;   ///< each a record::Pattern; one that starts with '-' excludes; empty: all
  std::vector<std::string> advice;    ///< advice ids; empty: all
};

/// Those of the listing that match, in its order: any of the filters that include (all, when there is none), none of
/// those that exclude, any of the advice ids. The families are not looked at. Throws std::invalid_argument on a filter
/// that is no regular expression.
std::vector<record::ListedBenchmark> select(const record::Listing& listing, const Selection& selection);

/// Those of the names that the filters choose, by the same rule; all of them without filters.
std::set<std::string> select_names(const std::vector<std::string>& names, const std::vector<std::string>& filters);

/// At most `count` of `candidates`, those that contain something closest to `text` (edit distance, case ignored) first;
/// equally close ones in the order of the candidates.
std::vector<std::string> nearest(const std::string& text, const std::vector<std::string>& candidates,
                                 std::size_t count);

/// The one of `words` that was meant by `word`: that which the fewest changes of a letter make of it (added, left out,
/// another, or two that changed places; case ignored), and no more of them than half of its letters. Empty where none
/// is so near.
std::string meant_by(const std::string& word, const std::vector<std::string>& words);

}  // namespace cupel::runner
