// Figures for programs: base units, nothing rounded.
#pragma once

#include <string>
#include <vector>

#include "cupel/figures/figure.hpp"
#include "cupel/record/forward.hpp"

namespace cupel::exports {

/// Writes RFC 4180 with a header line. Empty where there is no value.
std::string csv(const std::vector<figures::Figure>& all);

/// Writes an array of objects; a member without a value is absent.
std::string json(const std::vector<figures::Figure>& all);

/// Writes OpenMetrics 1.0 text, which node_exporter's textfile collector and Prometheus read: gauges in seconds, per
/// second and shares, a sample a figure, with the machine's and the benchmark's parameters as labels; what was skipped
/// is left out. Ends with "# EOF".
/// Source: https://prometheus.io/docs/specs/om/open_metrics_spec/
std::string openmetrics(const record::Context& context, const std::vector<figures::Figure>& figures);

}  // namespace cupel::exports
