// The common part of the renderers of a comparison. For the sources of cupel/report.
#pragma once

#include <string>

#include "cupel/report/compare/compare.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// The rows that the options choose, in their order.
compare::ComparedRows chosen_rows(const compare::CompareReport& report, const CompareOptions& options);

/// How verdicts are marked.
Badges verdict_badges();

std::string compare_csv(const compare::CompareReport& report, const CompareOptions& options);

/// One object: "reference", "contenders" with their "rows" and "families", "environment" and "policy".
std::string compare_json(const compare::CompareReport& report, const CompareOptions& options);

}  // namespace cupel::report
