// What `cupel history` found.
#pragma once

#include <string>

#include "cupel/history/history.hpp"
#include "cupel/report/text/table.hpp"

namespace cupel::report {

enum class HistoryFormat { text, markdown, json };

/// Steps, the latest first, then the newest commit against each reference, worst first. all: what did not drift too.
/// columns: of the text.
std::string history(const history::HistoryResult& result, HistoryFormat format, bool all = false,
                    std::size_t columns = Table::kAnyWidth);

}  // namespace cupel::report
