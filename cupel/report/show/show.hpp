// The summary of a result file as `cupel show` prints it and `cupel run` ends with.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cupel/bands/judge.hpp"
#include "cupel/figures/figure.hpp"
#include "cupel/record/forward.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/report/show/pivot_table.hpp"

namespace cupel::report {

struct ShowOptions {
  Format format = Format::text;                       ///< one of kShowFormats; svg: the first waterfall
  Sort sort = Sort::file;                             ///< file, name or time
  bool all = false;                                   ///< skipped benchmarks and second series too
  std::function<bool(const std::string&)> keep = {};  ///< of a name; empty: all
  bool flat = false;                                  ///< a line for each benchmark, however many there are
  Metric metric = Metric::automatic;                  ///< in the cells of tables; one that is named tables what it can
  std::string across = "";                            ///< the parameter whose values are columns; empty: chosen
  Terminal terminal = {100};                          ///< in colour: warnings and what failed or was skipped
  bool brief = false;                                 ///< of more than fits a screen the families alone
  std::string file = {};                              ///< as a command names it, where a family can be asked for
  std::string typed = {};                             ///< the results as they are typed behind any command
  bool legend = false;                                ///< what the columns mean, too
  bands::Judgement board = {};                        ///< what is unusual of it is marked
};

/// Text and Markdown: the families, a line each, of a folder and where they are several, what was measured on, the
/// figures by operation, and what a reader must know of them. Operations of many benchmarks are tables of a parameter
/// across, others and those sorted by time lists of a line for each. A benchmark alone has its processes below it. CSV
/// (RFC 4180) and JSON: a line or an object for each figure, in base units, for programs. SVG: the times of the first
/// training step to which changes were added; empty where there is none. Ends with a newline.
std::string show(const record::ResultSet& results, const ShowOptions& options);

/// How well figures repeat and what getting them cost: a table, and below it the median and the 95th percentile of the
/// process-to-process spread: of all benchmarks, and of those of device time over 10 us that are not power-limited by
/// themselves. JSON: an array of an object for each line of that table, in base units, shares of one. Ends with a
/// newline. options: format (text, markdown or json), keep and terminal.
std::string show_noise(const record::ResultSet& results, const ShowOptions& options);

/// Shows what benchmarks tried, one by one: a table for each benchmark with counters of items, a row an item, the
/// fastest first and those without a time last, a column for each what, and one of letters for what is only yes or no.
/// In text, columns that do not fit are left out, which is said. JSON: an array, of each such benchmark its items in
/// that order with all their counters, and the counters of none, in base units. Ends with a newline; empty if no
/// benchmark has any. options: as of show_noise().
std::string show_items(const record::ResultSet& results, const ShowOptions& options);

}  // namespace cupel::report
