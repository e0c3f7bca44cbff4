// What `cupel history` found.
#pragma once

#include <string>

#include "cupel/compare/history.hpp"

namespace cupel::report {

enum class HistoryFormat { text, markdown, json };

/// Steps, the latest first, then the newest commit against each reference, worst first. all: what did not drift too.
std::string history(const compare::HistoryResult& result, HistoryFormat format, bool all = false);

}  // namespace cupel::report
