// The renames of benchmarks: a file (by convention ci/renames.json) that compare, gate and history take.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupel/record/google_names.hpp"

namespace cupel::figures {

struct Suite;

/// The renames, old name to new name, of benchmarks that were renamed between two results.
using Renames = std::map<std::string, std::string, std::less<>>;

/// Reads renames. text: a JSON object of old name to new name. Throws files::ReadError that names the origin: not such
/// an object, two old names for one new one, or a chain (an old name that is also a new one).
Renames renames_from_json(std::string_view text, const std::string& origin);

/// Returns the names of a suite's benchmarks, in either spelling.
std::set<std::string> spellings_of(const Suite& suite);

/// Returns the old names that no side has, but for renames whose new name all sides have. renamed: old names that a
/// side has; sides: the spellings of each.
std::vector<std::string> idle_renames(const Renames& renames, const std::set<std::string>& renamed,
                                      std::span<const std::set<std::string>> sides);

/// Keeps under the new name what is kept under an old one, in either spelling. Where there is something under
/// both, both stay. Returns the old names that there was something under.
template <typename T>
std::set<std::string> rename_keys(std::map<std::string, T, std::less<>>& by_name, const Renames& renames) {
  std::set<std::string> renamed;
  for (const auto& [before, after] : renames) {
    const std::string canonical = record::canonical_name(before);
    const std::string& known = by_name.contains(before) ? before : canonical;
    if (!by_name.contains(known)) continue;
    renamed.insert(before);
    const std::string target = known == before ? after : record::canonical_name(after);
    if (by_name.contains(target)) continue;
    auto node = by_name.extract(known);
    node.key() = target;
    by_name.insert(std::move(node));
  }
  return renamed;
}

}  // namespace cupel::figures
