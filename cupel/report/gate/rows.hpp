// The common part of the gate's renderers. Internal to cupel/report.
#pragma once

#include <string>
#include <vector>

#include "cupel/report/gate/gate.hpp"

namespace cupel::report {

/// The rows to show, worst first: regressions by size, what has no figures, what is undecided, what was let through,
/// what is faster, what is the same, what is not gateable. Rows that are not judged are left out.
std::vector<const gate::GateRow*> worst_first(const gate::GateResult& result);

/// "SAME", ..., or "NOT-GATEABLE".
std::string verdict_text(const gate::GateRow& row);

/// "x" or, of a counter, "x [registers]". As it is, not escaped.
std::string gate_name(const gate::GateRow& row);

/// "+3.1 %", "-0.4 %", "2.10x"; empty where there is no ratio.
std::string change_text(const compare::Comparison& row);

/// "+2.8 % to +3.4 %"; empty where there is no interval.
std::string interval_text(const compare::Comparison& row);

/// "1.2 %", or "none" where no difference would have been found.
std::string mde_text(const compare::Comparison& row);

/// Notes, allowance and how many processes would decide, as one line. Not escaped.
std::string remark(const gate::GateRow& row);

/// "cupel gate: regression", the outcome in words, and its reasons.
std::string headline(const gate::GateResult& result);

/// "1 slower, 2 faster, 290 the same, 3 undecided, 2 not gateable, 1 without figures on both sides".
std::string counts_text(const gate::GateResult& result);

std::string gate_csv(const GateReport& report);
std::string gate_junit(const GateReport& report);
std::string gate_json(const GateReport& report);
std::string gate_annotations(const GateReport& report);
/// For services that keep histories; what they draw as a band is one sd between processes.
std::string gate_custom_smaller_is_better(const GateReport& report);
std::string gate_bencher(const GateReport& report);

}  // namespace cupel::report
