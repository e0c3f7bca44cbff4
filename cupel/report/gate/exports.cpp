// The gate for programs: everything as JSON, in base units, nothing rounded; JUnit's XML, which every CI system shows;
// and the formats of other people's tools.
#include <fmt/core.h>

#include <cmath>

#include "cupel/report/compare/json.hpp"
#include "cupel/report/compare/rows.hpp"
#include "cupel/report/gate/rows.hpp"
#include "cupel/report/text/escape.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

// The fields of the comparison under this format's names, and what the gate makes of them.
Json row_json(const gate::GateRow& gate) {
  Json row = comparison_json(gate.row);
  for (const char* side : {"reference", "contender"}) {
    row[side] = picked(row[side], "value,processes,samples,failed,skipped,disturbed,busy,sm_clock_hz");
  }
  row["metric"] = gate.row.metric.empty() ? "time" : gate.row.metric;
  row["better"] = record::to_string(gate.row.better);
  row["verdict"] = to_string(gate.row.verdict);
  row["gateable"] = gate.gateable;
  row["outcome"] = to_string(gate.outcome);
  row["stage"] = to_string(gate.stage);
  row["suspect"] = gate.slower || gate.faster;
  if (!gate.allowed.empty()) row["allowed"] = gate.allowed;
  row["tolerance"] = gate.rules.tolerance;
  row["target"] = gate.rules.target;
  return picked(row,
                "name,family,metric,unit,better,mode,verdict,judged,gateable,outcome,stage,suspect,allowed,ratio,lower,"
                "upper,level,test,p,p_adjusted,mde,sigma,tolerance,target,processes_to_decide,base=reference,"
                "new=contender,notes");
}

Json difference_json(const figures::Difference& difference) {
  return {{"name", difference.name},
          {"base", or_null(difference.baseline)},
          {"new", or_null(difference.contender)},
          {"hard", difference.hardness == figures::Hardness::hard}};
}

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
};

std::string message(const gate::GateRow& row) {
  std::string text = verdict_text(row);
  if (const std::string change = change_text(row.row); !change.empty()) {
    text += fmt::format(" {} ({}), p {}, would find {}, {} processes", change, interval_text(row.row),
                        compared::p_text(row.row), mde_text(row.row), compared::count_text(row.row));
  }
  if (const std::string more = remark(row); !more.empty()) text += "; " + more;
  return text;
}

std::string outcome_element(const gate::GateRow& row, Counts& counts) {
  const std::string what = escape_xml(message(row));
  if (row.outcome == gate::Outcome::regression) {
    ++counts.failures;
    return fmt::format("<failure message=\"{}\" type=\"regression\"/>", what);
  }
  if (row.outcome == gate::Outcome::incomplete) {
    ++counts.errors;
    return fmt::format("<error message=\"{}\" type=\"{}\"/>", what, to_string(row.row.verdict));
  }
  if (row.row.verdict == compare::Verdict::inconclusive) {
    ++counts.skipped;
    return fmt::format("<skipped message=\"{}\"/>", what);
  }
  return fmt::format("<system-out>{}</system-out>", what);
}

// GitHub shows ten annotations of a kind for each step; the rest are in the other outputs.
constexpr std::size_t kAnnotations = 10;

// Escapes the characters that part a workflow command. Source: actions/toolkit, command.ts.
std::string command_data(const std::string& text) { return replaced(shorten(text, 1000), {{'%', "%25"}}); }

std::string command_property(const std::string& text) {
  return replaced(command_data(text), {{':', "%3A"}, {',', "%2C"}});
}

std::string command(const char* level, const std::string& title, const std::string& text) {
  return fmt::format("::{} title={}::{}\n", level, command_property(title), command_data(text));
}

bool has_time(const gate::GateRow& row) {
  const std::optional<double>& value = row.row.contender.value;
  return row.row.metric.empty() && value && std::isfinite(*value);
}

constexpr double kNanoseconds = 1e9;

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

std::string gate_junit(const GateReport& report) {
  Counts counts;
  std::string cases;
  const auto add = [&](const std::string& suite, const std::string& name, const std::string& inside) {
    ++counts.tests;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\">{}</testcase>\n", escape_xml(suite),
                         escape_xml(name), inside);
  };
  for (const gate::GateRow& row : report.result.rows) {
    if (row.row.judged) add(row.row.family, gate_name(row), outcome_element(row, counts));
  }
  const bool undecided = report.result.outcome == gate::Outcome::undecided;
  const bool refused = report.result.outcome == gate::Outcome::not_comparable;
  if (undecided || refused) {
    ++counts.errors;
    add("cupel gate", refused ? "environment" : "decided",
        fmt::format("<error message=\"{}\" type=\"{}\"/>", escape_xml(headline(report.result)),
                    to_string(report.result.outcome)));
  }
  const std::string numbers = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", counts.tests,
                                          counts.failures, counts.errors, counts.skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite name=\"cupel gate\" {0}>\n{1}"
      "  </testsuite>\n</testsuites>\n",
      numbers, cases);
}

std::string gate_annotations(const GateReport& report) {
  std::string out;
  std::size_t shown = 0;
  const gate::GateResult& result = report.result;
  for (const gate::GateRow* row : worst_first(result)) {
    if (row->outcome != gate::Outcome::regression && row->outcome != gate::Outcome::incomplete) continue;
    if (++shown >= kAnnotations) break;
    out += command("error", gate_name(*row),
                   fmt::format("{} {} {}", verdict_text(*row), change_text(row->row), remark(*row)));
  }
  const bool passed = result.outcome == gate::Outcome::passed;
  return out + command(passed ? "notice" : "error", "cupel gate", headline(result) + ": " + counts_text(result));
}

std::string gate_custom_smaller_is_better(const GateReport& report) {
  Json list = Json::array();
  for (const gate::GateRow& row : report.result.rows) {
    if (!has_time(row)) continue;
    Json object{{"name", gate_name(row)}, {"unit", "ns"}, {"value", *row.row.contender.value * kNanoseconds}};
    if (row.row.sigma) object["range"] = "+- " + units::format_percent(*row.row.sigma);
    object["extra"] = fmt::format("{} {}", verdict_text(row), change_text(row.row));
    list.push_back(std::move(object));
  }
  return lines(list, 1) + "\n";
}

std::string gate_bencher(const GateReport& report) {
  Json root = Json::object();
  for (const gate::GateRow& row : report.result.rows) {
    if (!has_time(row)) continue;
    const double value = *row.row.contender.value * kNanoseconds;
    Json metric{{"value", value}};
    if (row.row.sigma) {
      metric["lower_value"] = value * std::exp(-*row.row.sigma);
      metric["upper_value"] = value * std::exp(*row.row.sigma);
    }
    root[gate_name(row)]["latency"] = std::move(metric);
  }
  return lines(root, 1) + "\n";
}

}  // namespace cupel::report
