// The gate as JUnit's XML, which every CI system shows.
#include <fmt/core.h>

#include "cupel/report/compare/rows.hpp"
#include "cupel/report/gate/rows.hpp"
#include "cupel/report/text/escape.hpp"

namespace cupel::report {
namespace {

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

}  // namespace

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

}  // namespace cupel::report
