// A result for sites that scrape: what node_exporter's textfile collector and Prometheus read.
#pragma once

#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"
#include "cupel/record/record.hpp"

namespace cupel::report {

/// OpenMetrics 1.0 text: gauges in seconds, per second and shares, a sample a figure, with the machine's and the
/// benchmark's parameters as labels; what was skipped is left out. Ends with "# EOF".
/// Source: https://prometheus.io/docs/specs/om/open_metrics_spec/
std::string openmetrics(const record::Context& context, const std::vector<figures::Figure>& figures);

}  // namespace cupel::report
