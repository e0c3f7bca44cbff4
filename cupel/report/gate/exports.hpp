// The gate for programs. For the sources of cupel/report.
#pragma once

#include <string>

#include "cupel/report/gate/gate.hpp"

namespace cupel::report {

std::string gate_csv(const GateReport& report);
std::string gate_junit(const GateReport& report);
std::string gate_json(const GateReport& report);
std::string gate_annotations(const GateReport& report);
/// For services that keep histories; what they draw as a band is one sd between processes.
std::string gate_custom_smaller_is_better(const GateReport& report);
std::string gate_bencher(const GateReport& report);

}  // namespace cupel::report
