// The common part of the renderers of a comparison. For the sources of cupel/report.
#pragma once

#include <string>

#include "cupel/report/compare/compare.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// Where no program reads them, and neither all nor some verdicts are asked for, rows on one side are counted in place
/// of being listed, and so are some of those that changed where a reader would not look at all.
struct ChosenRows : compare::ComparedRows {
  std::vector<compare::CompareRow> further;    ///< that changed, and matter less than those shown
  std::vector<compare::CompareRow> one_sided;  ///< MISSING or ADDED everywhere
};

/// The rows that the options choose, in their order.
ChosenRows chosen_rows(const compare::CompareReport& report, const CompareOptions& options);

/// The comparison of a row by which it is listed: a slower one, else one that changed.
const compare::Comparison& telling(const compare::CompareRow& row);

/// How verdicts are marked.
Badges verdict_badges();

std::string compare_csv(const compare::CompareReport& report, const CompareOptions& options);

/// One object: "reference", "contenders" with their "rows" and "families", "environment" and "policy".
std::string compare_json(const compare::CompareReport& report, const CompareOptions& options);

}  // namespace cupel::report
