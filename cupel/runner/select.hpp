// Which benchmarks a run is about.
#pragma once

#include <string>
#include <vector>

#include "cupel/record/listing.hpp"
#include "cupel/record/pattern.hpp"

namespace cupel::runner {

struct Selection {
  std::vector<std::string> families;  ///< empty: all
  std::vector<std::string> filters;   ///< each a record::Pattern; one that starts with '-' excludes; empty: all
  std::vector<std::string> advice;    ///< advice ids; empty: all
};

/// The benchmarks of the listing that match, in its order: any of the filters that include (all, when there is none),
/// none of those that exclude, any of the advice ids. The families are not looked at. Throws std::invalid_argument on a
/// filter that is no regular expression.
std::vector<record::ListedBenchmark> select(const record::Listing& listing, const Selection& selection);

/// Filters by name.
class Filters {
 public:
  /// As Selection::filters. A size may be as tables have it, "bytes:64 MiB". Throws std::invalid_argument on one that
  /// is no regular expression.
  explicit Filters(const std::vector<std::string>& filters);

  /// Whether they choose a benchmark with these spellings of its name: one of them includes it (each does where no
  /// filter includes), and none excludes it. An empty spelling is none.
  bool choose(const std::vector<std::string>& spellings) const;

 private:
  std::vector<record::Pattern> include_, exclude_;
};

}  // namespace cupel::runner
