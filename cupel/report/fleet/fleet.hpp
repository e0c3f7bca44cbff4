// The machines of a fleet as `cupel compare --fleet` prints them.
#pragma once

#include <string>
#include <vector>

#include "cupel/fleet/fleet.hpp"
#include "cupel/report/page/format.hpp"
#include "cupel/report/page/render.hpp"

namespace cupel::report {

struct FleetOptions {
  Format format = Format::text;  ///< one of kCompareFormats
  bool all = false;     ///< also the benchmarks that stand out with their family, and more rows than a screen has
  bool legend = false;  ///< what the columns mean, too
  Terminal terminal = {};
};

/// labels: of the suites that the fleets index. Text, Markdown and HTML (one page that asks for nothing) show the
/// figures of outliers and a line for each family; CSV and JSON every figure. Ends with a newline. files: what is said
/// of the files ahead of the machines.
std::string fleet(const std::vector<fleet::Fleet>& fleets, const std::vector<std::string>& labels,
                  const fleet::FleetRule& rule, const FleetOptions& options, const fleet::FleetFiles& files = {});

}  // namespace cupel::report
