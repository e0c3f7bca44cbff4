// The fields of a gate in JSON, listed once: written by the mechanism that writes a result file
// (cupel/record/encode.hpp). Those of a row's comparison are in cupel/compare/fields.hpp.
#pragma once

#include "cupel/gate/gate.hpp"
#include "cupel/record/rule.hpp"

namespace cupel::figures {

using record::detail::Is;
using record::detail::kAlways;

void visit(auto& v, Is<Difference> auto& difference) {
  v("name", difference.name, kAlways);
  v("base", difference.baseline, kAlways);
  v("new", difference.contender, kAlways);
  v("hard", difference.hardness == Hardness::hard, kAlways);
}

}  // namespace cupel::figures

namespace cupel::gate {

using record::detail::Is;
using record::detail::kAlways;

/// Makes the fields of a row that are the gate's own, and those that it says in its own way.
void visit(auto& v, Is<GateRow> auto& gate) {
  v("printed", gate.row.printed, kAlways);
  v("metric", gate.row.metric.empty() ? std::string("time") : gate.row.metric, kAlways);
  v("better", gate.row.better, kAlways);
  v("verdict", gate.row.verdict, kAlways);
  v("gateable", gate.gateable, kAlways);
  v("outcome", gate.outcome, kAlways);
  v("stage", gate.stage, kAlways);
  v("suspect", gate.slower || gate.faster || gate.noisier, kAlways);
  v("allowed", gate.allowed);
  v("tolerance", gate.rules.tolerance, kAlways);
  v("target", gate.rules.target, kAlways);
}

void visit(auto& v, Is<GateReport> auto& report) {
  const GateResult& result = report.result;
  v("cupel_gate", 1);
  v("outcome", result.outcome, kAlways);
  v("exit_code", report.exit_code, kAlways);
  v("reasons", result.reasons, kAlways);
  v("interrupted", result.interrupted, kAlways);
  v("base", report.base, kAlways);
  v("new", report.contender, kAlways);
  v("method", result.method, kAlways);
  v("alpha", result.alpha, kAlways);
  v("slower", result.slower, kAlways);
  v("noisier", result.noisier, kAlways);
  v("faster", result.faster, kAlways);
  v("same", result.same, kAlways);
  v("inconclusive", result.inconclusive, kAlways);
  v("not_gateable", result.not_gateable, kAlways);
  v("skipped", result.skipped, kAlways);
  v("without_figures", result.others, kAlways);
  v("warnings", result.warnings, kAlways);
  v("differences", result.differences, kAlways);
}

}  // namespace cupel::gate
