// The sentences under a chart: n, intervals and limits, of what it shows.
#pragma once

#include <string>

#include "cupel/report/html/measured.hpp"
#include "cupel/report/html/series.hpp"

namespace cupel::report::html {

/// "n: 7 processes and 210 samples a point; intervals 93.8 % over processes." Ranges where points differ. A counter
/// has no samples: it is one number a process.
std::string n_sentence(const Members& members, const Quantity& quantity = Quantity::time);

/// "Device time, caches cold." of all modes among them. Empty for a counter.
std::string mode_sentence(const Members& members, const Quantity& quantity = Quantity::time);

/// "Limit: PCIe 5.0 x16, 63.0 GB/s (source).", each source once. Empty where there is none. Escaped.
std::string limit_sentence(const Members& members, const Quantity& quantity);

}  // namespace cupel::report::html
