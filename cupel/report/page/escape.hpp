// Text that others wrote (names of benchmarks, reasons, devices) made harmless in each format. Every renderer passes
// all such text through here. Input: any bytes; output: UTF-8. Time linear in the length.
#pragma once

#include <string>
#include <string_view>

namespace cupel::report {

/// Markdown that shows the text as it is, in a paragraph, list or table cell: no markup, no HTML, no link, no mention
/// (@name) and no reference (#12).
std::string escape_markdown(std::string_view text);

/// The text in a code span, also in a table cell.
std::string markdown_code(std::string_view text);

/// For HTML and XML 1.0, in text and in quoted attributes. What XML cannot hold is shown as units::visible() does.
std::string escape_html(std::string_view text);

}  // namespace cupel::report
