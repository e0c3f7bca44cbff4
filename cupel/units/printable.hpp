// The characters that a string of a result file may hold.
//
// Names and reasons from a file are printed to terminals and pasted into reports, so no string of the schema holds a
// control character: the writer puts a space in its place and the reader refuses it.
#pragma once

#include <string>
#include <string_view>

#include "cupel/units/utf8.hpp"

namespace cupel::units {

/// True if text holds a control character: C0, DEL or C1 (U+0080 to U+009F). text: UTF-8.
bool has_control(std::string_view text);

/// UTF-8 on one line: control characters become spaces. For what we write and for error messages.
std::string printable(std::string_view text);

}  // namespace cupel::units
