// The sentences under a chart: n, intervals and limits, of what it shows.
#pragma once

#include <string>

#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// "n: 7 / 210, intervals 98.4 % over processes.": processes and their samples of each point. A counter has no samples:
/// it is one number a process.
std::string n_sentence(const Members& members, const Quantity& quantity = Quantity::time);

/// n_sentence(), modes ("Cold.") and limits ("Limit: PCIe 5.0 x16, 63.0 GB/s."). has_n_column: a column of the figure
/// says n and whether it has ranges. How any figure is read, and where limits come from, stands once, in the page's
/// method.
std::string caption(const Members& members, const Quantity& quantity, bool has_n_column = false);

}  // namespace cupel::report::html
