// The summary of a result file as `cupel show` prints it and `cupel run` ends with.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "cupel/bands/judge.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/show/pivot_table.hpp"
#include "cupel/report/text/format.hpp"

namespace cupel::report {

struct ShowOptions {
  Format format = Format::text;                       ///< all but html
  Sort sort = Sort::file;                             ///< file, name or time
  bool all = false;                                   ///< skipped benchmarks and second series too
  std::function<bool(const std::string&)> keep = {};  ///< of a name; empty: all
  bool flat = false;                                  ///< a line for each benchmark, however many there are
  Metric metric = Metric::automatic;                  ///< in the cells of tables; one that is named tables what it can
  std::string across = "";                            ///< the parameter whose values are columns; empty: chosen
  std::size_t columns = 100;                          ///< of the terminal
  bands::Judgement board = {};                        ///< what is unusual of it is marked
};

/// Text and Markdown: what was measured on, the figures by operation, and what a reader must know of them. Operations
/// of many benchmarks are tables of a parameter across, others and those sorted by time lists of a line for each. CSV
/// (RFC 4180) and JSON: a line or an object for each figure, in base units, for programs. Ends with a newline.
std::string show(const record::ResultSet& results, const ShowOptions& options);

}  // namespace cupel::report
