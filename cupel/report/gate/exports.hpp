// The gate for programs. For the sources of cupel/report.
#pragma once

#include <string>

#include "cupel/report/gate/gate.hpp"

namespace cupel::report {

/// format: neither text nor markdown.
std::string gate_export(const gate::GateReport& report, GateFormat format);

/// The new side's times as github-action-benchmark takes them.
std::string gate_custom_smaller_is_better(const gate::GateReport& report);

/// The new side's times as Bencher takes them.
std::string gate_bencher(const gate::GateReport& report);

}  // namespace cupel::report
