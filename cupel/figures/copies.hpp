// Results that are copies of each other: files of one run. Told by what was measured, whatever the files are called.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cupel/record/forward.hpp"

namespace cupel::figures {

struct Suite;

/// Fingerprints: (benchmark, process) to a hash of its times. Two measurements have the same samples in a row by
/// chance, but not in half of their rows.
using Prints = std::map<std::pair<std::string, int>, std::size_t>;

/// Returns the fingerprints of the samples of each row with three or more in a series: fewer are the same by chance too
/// often.
Prints prints_of(const record::ResultSet& results);

/// Returns the fingerprints of the locations of each benchmark; they differ from those of the result set.
Prints prints_of(const Suite& suite);

/// Tells whether more than half of `some` is in `known`.
bool is_copy(const Prints& some, const Prints& known);

/// Keeps results that were seen, to find copies among further ones.
class SeenResults {
 public:
  /// Returns the first name that was seen with these prints; where there is none an empty one, and this name is seen.
  std::string copy_of(const std::string& name, Prints prints);

 private:
  std::vector<std::pair<std::string, Prints>> seen_;
};

}  // namespace cupel::figures
