// Which benchmark was renamed to which: a file (by convention ci/renames.json) that compare, gate and history take.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "cupel/figures/suite.hpp"

namespace cupel::figures {

/// text: a JSON object of old name to new name. Throws record::ReadError that names the origin: not such an object, two
/// old names for one new one, or a chain (an old name that is also a new one).
Renames renames_from_json(std::string_view text, const std::string& origin);

/// What is kept under an old name is then kept under the new one. Where there is something under both, both stay.
template <typename T>
void rename_keys(std::map<std::string, T, std::less<>>& by_name, const Renames& renames) {
  for (const auto& [before, after] : renames) {
    if (by_name.contains(after)) continue;
    auto node = by_name.extract(before);
    if (node.empty()) continue;
    node.key() = after;
    by_name.insert(std::move(node));
  }
}

}  // namespace cupel::figures
