// The machines of a fleet as `cupel compare --fleet` prints them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/fleet/expect.hpp"
#include "cupel/fleet/fleet.hpp"
#include "cupel/report/compare/compare.hpp"
#include "cupel/report/text/table.hpp"

namespace cupel::report {

/// labels: of the suites that the fleets index. Text and Markdown show the figures of outliers and a line for each
/// family that has none; CSV and JSON every figure. HTML: one page that asks for nothing. Ends with a newline.
/// attendance: of the nodes that were expected, where some were; it stands first. columns: of the terminal, for text.
std::string fleet(const std::vector<fleet::Fleet>& fleets, const std::vector<std::string>& labels,
                  const fleet::FleetRule& rule, Format format,
                  const std::optional<fleet::Attendance>& attendance = std::nullopt,
                  std::size_t columns = Table::kAnyWidth);

}  // namespace cupel::report
