// The machines of a fleet as `cupel compare --fleet` prints them.
#pragma once

#include <string>
#include <vector>

#include "cupel/fleet/fleet.hpp"
#include "cupel/report/page/format.hpp"
#include "cupel/report/page/render.hpp"

namespace cupel::report {

/// format: one of kCompareFormats. labels: of the suites that the fleets index. Text and Markdown show the figures of
/// outliers and a line for each family that has none; CSV and JSON every figure. HTML: one page that asks for nothing.
/// Ends with a newline. files: what is said of the files ahead of the machines. legend: what the columns mean, too.
/// terminal: of the text.
std::string fleet(const std::vector<fleet::Fleet>& fleets, const std::vector<std::string>& labels,
                  const fleet::FleetRule& rule, Format format, const fleet::FleetFiles& files = {}, bool legend = false,
                  const Terminal& terminal = {});

}  // namespace cupel::report
