// The formats of what the commands print, and the orders of its rows, under the names that command lines give them.
#pragma once

#include <array>

#include "cupel/record/names.hpp"

namespace cupel::report {

/// The formats; each command has some of them.
enum class Format { text, markdown, csv, json, html, openmetrics, svg };
constexpr auto names_of(Format) { return std::array{"text", "markdown", "csv", "json", "html", "openmetrics", "svg"}; }

/// Tells whether rendered() writes the format, as a page for people. The others are data for programs, and a picture.
constexpr bool is_page(Format format) {
  return format == Format::text || format == Format::markdown || format == Format::html;
}

/// The formats of each command. `compare --fleet` has those of `compare`, `advise --step` those of a foretold step.
inline constexpr std::array kShowFormats{Format::text, Format::markdown,    Format::csv,
                                         Format::json, Format::openmetrics, Format::svg};
inline constexpr std::array kAdviseFormats{Format::text, Format::markdown, Format::json};
inline constexpr std::array kForetellFormats{Format::text, Format::markdown, Format::json, Format::csv};
inline constexpr std::array kCompareFormats{Format::text, Format::markdown, Format::csv, Format::json, Format::html};
inline constexpr std::array kHistoryFormats{Format::text, Format::markdown, Format::json, Format::html};
inline constexpr std::array kBandsFormats{Format::text, Format::markdown, Format::html};

/// As the file has them, by name, worst ratio first (of comparisons), or slowest first, those without a time last.
enum class Sort { file, name, ratio, time };
constexpr auto names_of(Sort) { return std::array{"file", "name", "ratio", "time"}; }

}  // namespace cupel::report
