// The sentences under a chart: n, intervals and limits, of what it shows.
#pragma once

#include <string>

#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// "n: 7 processes and 210 samples a point; intervals 93.8 % over processes." Ranges where points differ. A counter
/// has no samples: it is one number a process.
std::string n_sentence(const Members& members, const Quantity& quantity = Quantity::time);

/// "Points: median over processes; bands: " of `marks`, and of the members what spread that is, n_sentence(), modes
/// ("Device time, caches cold."), `columns`, and limits with each source once ("Limit: PCIe 5.0 x16, 63.0 GB/s
/// (source)."). stroke: what shows a limit that has no label.
std::string caption(const Members& members, const Quantity& quantity, const std::string& marks,
                    const std::string& stroke = "", const std::string& columns = "");

}  // namespace cupel::report::html
