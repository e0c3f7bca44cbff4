// The renderers of a comparison that are not tables of text. See compare().
#pragma once

#include <string>
#include <vector>

#include "cupel/report/compare/compare.hpp"
#include "cupel/report/compare/rows.hpp"

namespace cupel::report {

std::string compare_csv(const CompareReport& report, const CompareOptions& options);

/// One object: "reference", "contenders" with their "rows" and "families", "environment" and "policy".
std::string compare_json(const CompareReport& report, const CompareOptions& options);

/// What differs between the environments, the rows and the families as tables, for all formats that have tables.
Table environment_table(const CompareReport& report);
Table rows_table(const CompareReport& report, const std::vector<compared::CompareRow>& rows);
Table families_table(const CompareReport& report);

inline constexpr const char* kSameEnvironment = "No difference between the environments is known.";
inline constexpr const char* kFamilies =
    "Geometric mean of the ratios and its bootstrap interval over benchmarks; with fewer than 5, read the rows.";

/// How verdicts are marked on a page.
Badges verdict_badges();

/// A page of the report's parts.
std::string compare_html(const CompareReport& report, const CompareOptions& options);

}  // namespace cupel::report
