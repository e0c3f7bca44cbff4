// The formats of what the commands print, and the orders of its rows, under the names that command lines give them.
#pragma once

#include <array>

#include "cupel/record/names.hpp"

namespace cupel::report {

/// The formats; each command has some of them.
enum class Format { text, markdown, csv, json, html, openmetrics, svg };
constexpr auto names_of(Format) { return std::array{"text", "markdown", "csv", "json", "html", "openmetrics", "svg"}; }

/// As the file has them, by name, worst ratio first (of comparisons), or slowest first, those without a time last.
enum class Sort { file, name, ratio, time };
constexpr auto names_of(Sort) { return std::array{"file", "name", "ratio", "time"}; }

}  // namespace cupel::report
