// The text of Google Benchmark's result files as JSON. It writes more than JSON allows.
#pragma once

#include <string>
#include <string_view>

namespace cupel::record::detail {

/// Returns the text as JSON in UTF-8: NaN and Infinity become null, numbers lose the marks of a locale (1,000 and 1.000
/// of a whole number, 1,5e+00), and strings the bytes that should have been escaped. A text that is cut short stays so.
std::string repaired(std::string_view text);

/// Names the encoding: "UTF-16", as a redirection of PowerShell's writes it, or "UTF-32"; empty where the text is
/// neither.
std::string_view wide_encoding(std::string_view text);

}  // namespace cupel::record::detail
