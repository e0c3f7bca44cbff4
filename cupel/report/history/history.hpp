// The findings of `cupel history`.
#pragma once

#include <string>

#include "cupel/history/history.hpp"
#include "cupel/report/page/format.hpp"
#include "cupel/report/page/render.hpp"

namespace cupel::report {

struct HistoryText {
  Format format = Format::text;  ///< one of kHistoryFormats
  bool all = false;              ///< every row, and what did not drift too
  bool legend = false;           ///< what the columns mean, too
  Terminal terminal = {};        ///< of the text
};

/// The machine and the answer in a sentence, then steps, the latest first, then the newest commit against each
/// reference, worst first; in text the first ten of each. HTML draws the trend of what made a step or drifted, or of
/// all.
std::string history(const history::HistoryResult& result, const HistoryText& how);

}  // namespace cupel::report
