// The renderers of a comparison that are not tables of text. See compare().
#pragma once

#include <string>

#include "cupel/report/compare.hpp"

namespace cupel::report {

std::string compare_csv(const CompareReport& report, const CompareOptions& options);

/// One object: "reference", "contenders" with their "rows" and "families", "environment" and "policy".
std::string compare_json(const CompareReport& report, const CompareOptions& options);

/// A whole page around a body: it asks for nothing, has light and dark colours and may be printed. title: plain text.
std::string html_page(const std::string& title, const std::string& body);

std::string compare_html(const CompareReport& report, const CompareOptions& options);

}  // namespace cupel::report
