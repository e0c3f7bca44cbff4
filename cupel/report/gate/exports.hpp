// The gate for programs. For the sources of cupel/report.
#pragma once

#include <string>

#include "cupel/report/gate/gate.hpp"

namespace cupel::report {

/// format: neither text nor markdown.
std::string gate_export(const gate::GateReport& report, GateFormat format);

}  // namespace cupel::report
