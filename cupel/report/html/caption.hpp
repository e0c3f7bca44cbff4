// The sentences under a chart: n, intervals and limits, of what it shows.
#pragma once

#include <string>

#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// "n: 7 processes and 210 samples a point; intervals 93.8 % over processes." Ranges where points differ. A counter
/// has no samples: it is one number a process.
std::string n_sentence(const Members& members, const Quantity& quantity = Quantity::time);

/// n_sentence(), modes ("Device time with caches cold."), and limits with each source once ("Limit: PCIe 5.0 x16, 63.0
/// GB/s (source)."). How any figure is read stands once, in the page's method.
std::string caption(const Members& members, const Quantity& quantity);

}  // namespace cupel::report::html
