// The gate for programs: everything, in base units, nothing rounded.
#include <cmath>
#include <utility>

#include "cupel/record/tree.hpp"
#include "cupel/report/gate/rows.hpp"

namespace cupel::report {
namespace {

using record::detail::Array;
using record::detail::Object;
using record::detail::Value;

Value text(std::string value) { return {std::move(value)}; }

Value number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Value{*value} : Value{nullptr};
}

Value whole(std::int64_t value) { return {value}; }

Value texts(const std::vector<std::string>& values) {
  Array list;
  for (const std::string& value : values) list.push_back(text(value));
  return {std::move(list)};
}

Value side_value(const compare::Side& side) {
  return {Object{{"value", number(side.value)},
                 {"processes", whole(side.processes)},
                 {"samples", whole(side.samples)},
                 {"failed", whole(side.failed)},
                 {"skipped", whole(side.skipped)},
                 {"disturbed", whole(side.disturbed)},
                 {"busy", whole(side.busy)},
                 {"sm_clock_hz", number(side.sm_clock_hz)}}};
}

Value row_value(const gate::GateRow& gate) {
  const compare::Comparison& row = gate.row;
  Object object;
  object.push_back({"name", text(row.name)});
  object.push_back({"family", text(row.family)});
  object.push_back({"metric", text(row.metric.empty() ? "time" : row.metric)});
  object.push_back({"unit", text(row.unit)});
  object.push_back({"better", text(record::to_string(row.better))});
  object.push_back({"mode", row.mode ? text(record::to_string(*row.mode)) : Value{nullptr}});
  object.push_back({"verdict", text(to_string(row.verdict))});
  object.push_back({"judged", Value{row.judged}});
  object.push_back({"outcome", text(to_string(gate.outcome))});
  object.push_back({"stage", text(to_string(gate.stage))});
  object.push_back({"suspect", Value{gate.slower || gate.faster}});
  object.push_back({"allowed", gate.allowed.empty() ? Value{nullptr} : text(gate.allowed)});
  object.push_back({"ratio", number(row.ratio)});
  object.push_back({"lower", number(row.lower)});
  object.push_back({"upper", number(row.upper)});
  object.push_back({"level", number(row.level)});
  object.push_back({"test", text(to_string(row.test))});
  object.push_back({"p", number(row.p)});
  object.push_back({"p_adjusted", number(row.p_adjusted)});
  object.push_back({"mde", number(row.mde)});
  object.push_back({"sigma", number(row.sigma)});
  object.push_back({"tolerance", number(gate.rules.tolerance)});
  object.push_back({"target", number(gate.rules.target)});
  object.push_back({"processes_to_decide", row.processes_to_decide ? whole(*row.processes_to_decide) : Value{nullptr}});
  object.push_back({"base", side_value(row.baseline)});
  object.push_back({"new", side_value(row.contender)});
  object.push_back({"notes", texts(row.notes)});
  return {std::move(object)};
}

Value difference_value(const figures::Difference& difference) {
  const auto side = [](const std::optional<std::string>& value) { return value ? text(*value) : Value{nullptr}; };
  return {Object{{"name", text(difference.name)},
                 {"base", side(difference.baseline)},
                 {"new", side(difference.contender)},
                 {"hard", Value{difference.hardness == figures::Hardness::hard}}}};
}

}  // namespace

std::string gate_json(const GateReport& report) {
  const gate::GateResult& result = report.result;
  Array differences, rows;
  for (const figures::Difference& difference : result.differences) differences.push_back(difference_value(difference));
  for (const gate::GateRow& row : result.rows) rows.push_back(row_value(row));
  Object root;
  root.push_back({"cupel_gate", whole(1)});
  root.push_back({"outcome", text(to_string(result.outcome))});
  root.push_back({"exit_code", whole(report.exit_code)});
  root.push_back({"reasons", texts(result.reasons)});
  root.push_back({"interrupted", Value{result.interrupted}});
  root.push_back({"base", text(report.base)});
  root.push_back({"new", text(report.contender)});
  root.push_back({"method", text(result.method)});
  root.push_back({"alpha", number(result.alpha)});
  root.push_back({"slower", whole(result.slower)});
  root.push_back({"faster", whole(result.faster)});
  root.push_back({"same", whole(result.same)});
  root.push_back({"inconclusive", whole(result.inconclusive)});
  root.push_back({"without_figures", whole(result.others)});
  root.push_back({"warnings", texts(result.warnings)});
  root.push_back({"differences", Value{std::move(differences)}});
  root.push_back({"rows", Value{std::move(rows)}});
  return record::detail::dump(Value{std::move(root)}) + "\n";
}

}  // namespace cupel::report
