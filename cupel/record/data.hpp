// Lists of objects for programs. Each format's fields are listed once, in JSON; CSV picks from them. For the sources
// of this project; not for users of the library.
#pragma once

#include <string>
#include <string_view>

#include "cupel/record/json_text.hpp"

namespace cupel::record::detail {

/// Returns the members of an object that `members` names as the columns of csv(), in that order; null where there is
/// none.
Json picked(const Json& object, const std::string& members);

/// Writes RFC 4180 with a header line: a line for each object. columns: their members, parted by commas;
/// "reference/value" is one of a member, titled reference_value; a title of its own stands before a '='. Empty where
/// there is none, or a number that is not finite; yes and no are 1 and 0, the elements of a list are parted by
/// `between`.
std::string csv(const Json& objects, const std::string& columns, const std::string& between);

/// Returns one value as csv() writes it.
std::string csv_cell(const Json& value, const std::string& between = "; ");

/// Returns one field of RFC 4180, quoted where needed. A text that a spreadsheet would take for a formula (it begins
/// with one of = + - @, or their full-width forms) gets an apostrophe before it.
std::string csv_field(std::string_view text);

}  // namespace cupel::record::detail
