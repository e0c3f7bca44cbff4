// A gate in words, the same in every format. Nothing here is escaped.
#pragma once

#include <string>
#include <vector>

#include "cupel/compare/comparison.hpp"
#include "cupel/gate/gate.hpp"

namespace cupel::gate {

/// The rows to show, worst first: regressions by size, what has no figures, what is undecided, what was let through,
/// what is faster, what is the same, what is not gateable. Rows that are not judged are left out.
std::vector<const GateRow*> worst_first(const GateResult& result);

/// As `cupel compare` says it: "SAME", of a counter "WORSE", ...; or "NOT-GATEABLE".
std::string verdict_text(const GateRow& row);

/// "x" or, of a counter, "x [registers]". As it is, not escaped.
std::string gate_name(const GateRow& row);

/// "+3.1 %", "-0.4 %", "2.10x"; empty where there is no ratio.
std::string change_text(const compare::Comparison& row);

/// "+2.8 % to +3.4 %"; empty where there is no interval.
std::string change_interval_text(const compare::Comparison& row);

/// "1.2 %", or "none" where no difference would have been found.
std::string would_find_text(const compare::Comparison& row);

/// Notes, allowance and how many processes would decide, as one line. Not escaped.
std::string remark(const GateRow& row);

/// "cupel gate: regression", the outcome in words.
std::string outcome_text(const GateResult& result);

/// The same and its reasons, in one line.
std::string headline(const GateResult& result);

/// "1 slower, 290 the same, 1 missing; of counters 2 worse; 2 not gateable": verdicts that some row has.
std::string counts_text(const GateResult& result);

}  // namespace cupel::gate
