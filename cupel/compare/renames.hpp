// Which benchmark was renamed to which.
#pragma once

#include <string>
#include <string_view>

#include "cupel/compare/match.hpp"

namespace cupel::compare {

/// text: a JSON object of old name to new name. Throws record::ReadError that names the origin: not such an object, two
/// old names for one new one, or a chain (an old name that is also a new one).
Renames renames_from_json(std::string_view text, const std::string& origin);

}  // namespace cupel::compare
