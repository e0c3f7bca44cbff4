// Lists of objects for programs. Each format's fields are listed once, in JSON; CSV picks from them. For the sources of
// cupel/report.
#pragma once

#include <string>

#include "cupel/record/json_text.hpp"

namespace cupel::report {

using record::detail::Json;

/// The JSON of each element.
template <class List, class Write>
Json list_of(const List& list, const Write& write) {
  Json array = Json::array();
  for (const auto& element : list) array.push_back(write(element));
  return array;
}

/// RFC 4180 with a header line: a line for each object. columns: their members, parted by commas; "reference/value" is
/// one of a member, titled reference_value; a title of its own stands before a '='. Empty where there is none, or a
/// number that is not finite; yes and no are 1 and 0, the elements of a list are parted by `between`.
std::string csv(const Json& objects, const std::string& columns, const std::string& between);

}  // namespace cupel::report
