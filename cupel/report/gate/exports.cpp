// The gate for programs: everything as JSON, in base units, nothing rounded; JUnit's XML, which every CI system shows.
#include "cupel/report/gate/exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "cupel/compare/fields.hpp"
#include "cupel/compare/side_by_side.hpp"
#include "cupel/gate/fields.hpp"
#include "cupel/gate/words.hpp"
#include "cupel/record/data.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/report/page/escape.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {

using namespace record::detail;
namespace {

// The fields of the comparison under this format's names, and what the gate makes of them.
Json row_json(const gate::GateRow& gate) {
  Json row = encode(gate.row);
  for (const char* side : {"reference", "contender"}) {
    row[side] = picked(row[side], "value,processes,samples,failed,skipped,disturbed,busy,sm_clock_hz,tail");
  }
  row.update(encode(gate));
  return picked(
      row,
      "name,printed,family,metric,unit,better,mode,verdict,judged,gateable,outcome,stage,suspect,allowed,ratio,lower,"
      "upper,level,test,p,p_adjusted,mde,sigma,tolerance,target,processes_to_decide,base=reference,"
      "new=contender,longer_tail,notes");
}

Json rows_json(const gate::GateReport& report) {
  Json rows = Json::array();
  for (const gate::GateRow& row : report.result.rows) rows.push_back(row_json(row));
  return rows;
}

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
};

std::string message(const gate::GateRow& row) {
  std::string text = verdict_text(row);
  if (const std::string change = gate::change_text(row.row); !change.empty()) {
    text += fmt::format(" {} ({}), p {}, would find {}, {} processes", change, gate::change_interval_text(row.row),
                        compare::p_text(row.row), gate::would_find_text(row.row), compare::count_text(row.row));
  }
  if (const std::string more = remark(row); !more.empty()) text += "; " + more;
  return text;
}

std::string outcome_element(const gate::GateRow& row, Counts& counts) {
  const std::string what = escape_html(message(row));
  if (row.outcome == gate::Outcome::regression) {
    ++counts.failures;
    return fmt::format("<failure message=\"{}\" type=\"regression\"/>", what);
  }
  if (row.outcome == gate::Outcome::incomplete) {
    ++counts.errors;
    return fmt::format("<error message=\"{}\" type=\"{}\"/>", what, to_string(row.row.verdict));
  }
  if (row.row.verdict == compare::Verdict::inconclusive || row.row.verdict == compare::Verdict::skipped) {
    ++counts.skipped;
    return fmt::format("<skipped message=\"{}\"/>", what);
  }
  return fmt::format("<system-out>{}</system-out>", what);
}

// GitHub shows ten annotations of a kind for each step, and of one 64 KiB.
constexpr std::size_t kAnnotations = 10;
constexpr std::size_t kLongestNames = 60'000;

// Escapes the characters that part a workflow command. Source: actions/toolkit, command.ts.
std::string command_data(const std::string& text, std::size_t longest = 1000) {
  return units::replaced(units::shorten(text, longest), {{'%', "%25"}});
}

std::string command_property(const std::string& text) {
  return units::replaced(command_data(text), {{':', "%3A"}, {',', "%2C"}});
}

std::string command(const char* level, const std::string& title, const std::string& text, std::size_t longest = 1000) {
  return fmt::format("::{} title={}::{}\n", level, command_property(title), command_data(text, longest));
}

bool is_wrong(const gate::GateRow& row) {
  return row.outcome == gate::Outcome::regression || row.outcome == gate::Outcome::incomplete;
}

// Says of the machine, not of the change.
bool is_of_the_machine(compare::Verdict verdict) {
  return verdict == compare::Verdict::busy || verdict == compare::Verdict::throttled;
}

// Where something else fails the gate, a machine that was busy is to be known, and no error.
const char* level_of(const gate::GateRow& row, gate::Outcome outcome) {
  return is_of_the_machine(row.row.verdict) && outcome != gate::Outcome::incomplete ? "warning" : "error";
}

// A verdict that needs no annotation of its own, but a word on its row.
bool is_told(const gate::GateRow& row) { return row.row.verdict == compare::Verdict::skipped || row.row.longer_tail; }

// The names of rows, one command for all of a verdict: each row stands in one annotation.
std::string names_by_verdict(const char* level, std::span<const gate::GateRow* const> rows) {
  std::vector<std::string> verdicts;
  std::map<std::string, std::vector<std::string>> names;
  for (const gate::GateRow* row : rows) {
    const std::string verdict = verdict_text(*row);
    if (!names.contains(verdict)) verdicts.push_back(verdict);
    const std::string why = is_told(*row) ? " (" + remark(*row) + ")" : "";
    names[verdict].push_back(gate_name(*row) + why);
  }
  std::string out;
  for (const std::string& verdict : verdicts) {
    const std::vector<std::string>& all = names[verdict];
    out += command(level, "cupel gate",
                   fmt::format("{} {}: {}", units::counted(std::ssize(all), "row"), verdict, fmt::join(all, ", ")),
                   kLongestNames);
  }
  return out;
}

std::string gate_json(const gate::GateReport& report) {
  Json root = encode(report);
  root["rows"] = rows_json(report);
  return lines(root, 2) + "\n";
}

std::string gate_csv(const gate::GateReport& report) {
  std::string columns =
      "name,printed,family,metric,unit,mode,verdict,judged,gateable,outcome,stage,suspect,allowed,ratio,lower,upper,"
      "level,test,p,p_adjusted,mde,sigma,tolerance,target,processes_to_decide,longer_tail";
  for (const char* side : {"base", "new"}) {
    for (const char* field :
         {"value", "processes", "samples", "failed", "skipped", "disturbed", "busy", "sm_clock_hz", "tail"})
      columns += fmt::format(",{}/{}", side, field);
  }
  return csv(rows_json(report), columns + ",notes", "; ");
}

std::string gate_junit(const gate::GateReport& report) {
  Counts counts;
  std::string cases;
  const auto add = [&](const std::string& suite, const std::string& name, const std::string& inside) {
    ++counts.tests;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\">{}</testcase>\n", escape_html(suite),
                         escape_html(name), inside);
  };
  for (const gate::GateRow& row : report.result.rows) {
    if (row.row.judged) add(row.row.family, gate_name(row), outcome_element(row, counts));
  }
  const bool undecided = report.result.outcome == gate::Outcome::undecided;
  const bool refused = report.result.outcome == gate::Outcome::not_comparable;
  if (undecided || refused) {
    ++counts.errors;
    add("cupel gate", refused ? "environment" : "decided",
        fmt::format("<error message=\"{}\" type=\"{}\"/>", escape_html(headline(report.result)),
                    to_string(report.result.outcome)));
  }
  const std::string numbers = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", counts.tests,
                                          counts.failures, counts.errors, counts.skipped);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite name=\"cupel gate\" {0}>\n{1}"
      "  </testsuite>\n</testsuites>\n",
      numbers, cases);
}

std::string gate_annotations(const gate::GateReport& report) {
  constexpr std::size_t kAlone = kAnnotations - 2;  // the rest, and the conclusion
  std::string out;
  const gate::GateResult& result = report.result;
  std::vector<const gate::GateRow*> rows = worst_first(result);
  const auto others = std::ranges::stable_partition(rows, [](const gate::GateRow* row) { return is_wrong(*row); });
  const std::span<const gate::GateRow* const> wrong(rows.begin(), others.begin());
  for (const gate::GateRow* row : wrong.first(std::min(kAlone, wrong.size()))) {
    out += command(level_of(*row, result.outcome), gate_name(*row),
                   fmt::format("{} {} {}", verdict_text(*row), gate::change_text(row->row), remark(*row)));
  }
  if (wrong.size() > kAlone) {
    std::vector<std::string> names;
    for (const gate::GateRow* row : wrong.subspan(kAlone)) names.push_back(verdict_text(*row) + " " + gate_name(*row));
    out +=
        command("error", "cupel gate", fmt::format("{} more: {}", names.size(), fmt::join(names, ", ")), kLongestNames);
  }
  out += names_by_verdict("notice", {others.begin(), others.end()});
  const bool passed = result.outcome == gate::Outcome::passed;
  return out + command(passed ? "notice" : "error", "cupel gate", headline(result) + ": " + counts_text(result));
}

}  // namespace

std::string gate_export(const gate::GateReport& report, GateFormat format) {
  switch (format) {
    case GateFormat::junit:
      return gate_junit(report);
    case GateFormat::json:
      return gate_json(report);
    case GateFormat::csv:
      return gate_csv(report);
    case GateFormat::annotations:
      return gate_annotations(report);
    case GateFormat::custom_smaller_is_better:
      return gate_custom_smaller_is_better(report);
    default:
      return gate_bencher(report);
  }
}

}  // namespace cupel::report
