// The fields of a history in JSON, listed once: written by the mechanism that writes a result file
// (cupel/record/encode.hpp).
#pragma once

#include "cupel/history/history.hpp"
#include "cupel/record/rule.hpp"

namespace cupel::history {

using record::detail::Is;
using record::detail::kAlways;

void visit(auto& v, Is<Around::Value> auto& one) {
  v("value", one.value, kAlways);
  v("points", one.points);
}

void visit(auto& v, Is<Around> auto& around) {
  v("name", around.name);
  v("values", around.values, kAlways);
}

void visit(auto& v, Is<LevelChange> auto& step) {
  v("benchmark", step.benchmark, kAlways);
  v("mode", step.mode, kAlways);
  v("from", step.from, kAlways);
  v("to", step.to, kAlways);
  v("ratio", step.ratio, kAlways);
  v("p", step.p, kAlways);
  v("differences", step.differences, kAlways);
}

void visit(auto& v, Is<Drift> auto& drift) {
  v("benchmark", drift.benchmark, kAlways);
  v("mode", drift.mode, kAlways);
  v("reference", drift.reference, kAlways);
  v("decidable", drift.decidable);
  v("slower", drift.slower);
  v("undecided", drift.undecided);
  v("sessions_to_show", drift.sessions_to_show, kAlways);
  v("ratio", drift.ratio, kAlways);
  v("lower", drift.lower, kAlways);
  v("upper", drift.upper, kAlways);
  v("p_adjusted", drift.p_adjusted, kAlways);
  v("accepted", drift.accepted.empty() ? std::nullopt : std::optional(drift.accepted), kAlways);
  v("differences", drift.differences, kAlways);
}

void visit(auto& v, Is<Dropped> auto& dropped) {
  v("benchmark", dropped.benchmark, kAlways);
  v("last", dropped.last, kAlways);
}

void visit(auto& v, Is<HistoryResult> auto& result) {
  v("cupel_history_result", 1);
  v("machine", result.machine, kAlways);
  v("points", result.points);
  v("benchmarks", result.benchmarks);
  v("newest", result.newest, kAlways);
  v("dropped", result.dropped);
  v("environment", result.around, kAlways);
  v("noise", result.noise, kAlways);
  v("warnings", result.warnings, kAlways);
  v("steps", result.steps, kAlways);
  v("drifts", result.drifts, kAlways);
}

}  // namespace cupel::history
