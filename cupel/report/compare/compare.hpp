// The N-way comparison as `cupel compare` prints it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cupel/compare/side_by_side.hpp"
#include "cupel/report/page/format.hpp"
#include "cupel/report/page/render.hpp"

namespace cupel::report {

struct CompareOptions {
  Format format = Format::text;          ///< one of kCompareFormats
  Sort sort = Sort::file;                ///< file: as the reference has them
  std::set<compare::Verdict> only = {};  ///< rows with one of these verdicts for some contender; empty: all
  bool all = false;                      ///< rows too that are the same, undecided, or not judged and unchanged
  bool legend = false;                   ///< with what the columns mean, where a page cannot fold it away
  Terminal terminal = {};                ///< of the text: what does not fit gives way
};

/// Ends with a newline. Text, Markdown and HTML: the conclusion, what differs between the environments, the rows that
/// changed, the families, and what the figures mean. Other rows are folded: on a page away, else left out and counted.
/// CSV (RFC 4180) and JSON: every row in base units, nothing rounded, nothing left out but what `only` leaves out.
/// HTML: one page that asks for nothing. The same bytes for the same report in any locale.
std::string compare(const compare::CompareReport& report, const CompareOptions& options);

/// Says what the columns mean, of whatever files.
std::string compare_legend(const compare::Policy& policy, const CompareOptions& options);

/// The same as parts of a page that says more.
Blocks compared_blocks(const compare::CompareReport& report, const CompareOptions& options = {});

}  // namespace cupel::report
