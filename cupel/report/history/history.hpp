// The findings of `cupel history`.
#pragma once

#include <string>

#include "cupel/history/history.hpp"
#include "cupel/report/page/format.hpp"
#include "cupel/report/page/render.hpp"

namespace cupel::report {

/// Steps, the latest first, then the newest commit against each reference, worst first; in text the first ten
/// of each. all: every row, and what did not drift too. format: text, markdown, json, or html, which draws the trend of
/// what made a step or drifted, or of all. terminal: of the text.
std::string history(const history::HistoryResult& result, Format format, bool all = false,
                    const Terminal& terminal = {});

}  // namespace cupel::report
