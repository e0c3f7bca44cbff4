// The text of Google Benchmark's result files as JSON. It writes more than JSON allows.
#pragma once

#include <string>
#include <string_view>

namespace cupel::record::detail {

/// Returns the text as JSON in UTF-8: NaN and Infinity become null; numbers lose a locale's marks between groups of
/// digits and get '.' as the decimal mark ("1,5e+00" becomes 1.5e+00, "1,000" becomes 1000); control characters in
/// strings become spaces. A text that is cut short stays so.
std::string repaired(std::string_view text);

/// Names the encoding: "UTF-16", as a redirection of PowerShell's writes it, or "UTF-32"; empty where the text is
/// neither.
std::string_view wide_encoding(std::string_view text);

}  // namespace cupel::record::detail
