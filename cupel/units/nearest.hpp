// Finds the word that was probably meant by one that is none of those that there are.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cupel::units {

/// At most `count` of `candidates`, those that contain something closest to `text` (edit distance, case ignored) first:
/// to its operation, then to all of it, then those that are closest as wholes, in the order of the candidates.
std::vector<std::string> nearest(const std::string& text, const std::vector<std::string>& candidates,
                                 std::size_t count);

/// The one of `words` that was meant by `word`: that which the fewest changes of a letter make of it (added, left out,
/// another, or two that changed places; case ignored), and no more of them than half of its letters. Empty where none
/// is so near.
std::string meant_by(const std::string& word, const std::vector<std::string>& words);

}  // namespace cupel::units
