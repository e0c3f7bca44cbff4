// The gate for programs: everything, in base units, nothing rounded.
#include "cupel/report/gate/rows.hpp"
#include "cupel/report/text/data.hpp"

namespace cupel::report {
namespace {

using record::detail::lines;
using record::detail::or_null;

Json side_json(const compare::Side& side) {
  return {{"value", or_null(side.value)},
          {"processes", side.processes},
          {"samples", side.samples},
          {"failed", side.failed},
          {"skipped", side.skipped},
          {"disturbed", side.disturbed},
          {"busy", side.busy},
          {"sm_clock_hz", or_null(side.sm_clock_hz)}};
}

Json row_json(const gate::GateRow& gate) {
  const compare::Comparison& row = gate.row;
  return {{"name", row.name},
          {"family", row.family},
          {"metric", row.metric.empty() ? "time" : row.metric},
          {"unit", row.unit},
          {"better", record::to_string(row.better)},
          {"mode", row.mode ? Json(record::to_string(*row.mode)) : Json()},
          {"verdict", to_string(row.verdict)},
          {"judged", row.judged},
          {"gateable", gate.gateable},
          {"outcome", to_string(gate.outcome)},
          {"stage", to_string(gate.stage)},
          {"suspect", gate.slower || gate.faster},
          {"allowed", gate.allowed.empty() ? Json() : Json(gate.allowed)},
          {"ratio", or_null(row.ratio)},
          {"lower", or_null(row.lower)},
          {"upper", or_null(row.upper)},
          {"level", or_null(std::optional(row.level))},
          {"test", to_string(row.test)},
          {"p", or_null(row.p)},
          {"p_adjusted", or_null(row.p_adjusted)},
          {"mde", or_null(row.mde)},
          {"sigma", or_null(row.sigma)},
          {"tolerance", gate.rules.tolerance},
          {"target", gate.rules.target},
          {"processes_to_decide", or_null(row.processes_to_decide)},
          {"base", side_json(row.baseline)},
          {"new", side_json(row.contender)},
          {"notes", row.notes}};
}

Json difference_json(const figures::Difference& difference) {
  return {{"name", difference.name},
          {"base", or_null(difference.baseline)},
          {"new", or_null(difference.contender)},
          {"hard", difference.hardness == figures::Hardness::hard}};
}

}  // namespace

std::string gate_json(const GateReport& report) {
  const gate::GateResult& result = report.result;
  const Json root{{"cupel_gate", 1},
                  {"outcome", to_string(result.outcome)},
                  {"exit_code", report.exit_code},
                  {"reasons", result.reasons},
                  {"interrupted", result.interrupted},
                  {"base", report.base},
                  {"new", report.contender},
                  {"method", result.method},
                  {"alpha", result.alpha},
                  {"slower", result.slower},
                  {"faster", result.faster},
                  {"same", result.same},
                  {"inconclusive", result.inconclusive},
                  {"not_gateable", result.not_gateable},
                  {"without_figures", result.others},
                  {"warnings", result.warnings},
                  {"differences", list_of(result.differences, difference_json)},
                  {"rows", list_of(result.rows, row_json)}};
  return lines(root, 2) + "\n";
}

}  // namespace cupel::report
