// What may stand in a string of a result file. Internal to cupel/record.
//
// Names and reasons from a file are printed to terminals and pasted into reports, so no string of the schema holds a
// control character: the writer puts a space in its place and the reader refuses it.
#pragma once

#include <string>
#include <string_view>

namespace cupel::record::detail {

/// Well-formed UTF-8 as RFC 3629 has it: no overlong form, no surrogate, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

/// Each byte that is not part of well-formed UTF-8 becomes U+FFFD.
std::string to_utf8(std::string_view text);

/// True if text holds a control character: C0, DEL or C1 (U+0080 to U+009F). text: UTF-8.
bool has_control(std::string_view text);

/// UTF-8 on one line: control characters become spaces. For what we write and for error messages.
std::string printable(std::string_view text);

}  // namespace cupel::record::detail
