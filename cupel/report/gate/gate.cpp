#include "cupel/report/gate/gate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cupel/report/gate/rows.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

using compare::Verdict;
using gate::GateRow;
using gate::Outcome;

// Place in the order of rows; less is worse.
int rank(const gate::GateRow& gate) {
  if (gate.outcome == gate::Outcome::regression) return 0;
  if (gate.outcome == gate::Outcome::incomplete) return 1;
  switch (gate.row.verdict) {
    case compare::Verdict::inconclusive:
      return 2;
    case compare::Verdict::faster:
      return 4;
    case compare::Verdict::added:
      return 5;
    case compare::Verdict::same:
      return 6;
    default:
      return 3;
  }
}

std::string count_of(int count, const char* what) { return fmt::format("{} {}", count, what); }

}  // namespace

std::vector<const gate::GateRow*> worst_first(const gate::GateResult& result) {
  std::vector<const gate::GateRow*> rows;
  for (const gate::GateRow& row : result.rows) {
    if (row.row.judged) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const gate::GateRow* a, const gate::GateRow* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    return a->row.ratio.value_or(0) > b->row.ratio.value_or(0);
  });
  return rows;
}

std::string gate_name(const gate::GateRow& row) {
  return row.row.metric.empty() ? row.row.name : row.row.name + " [" + row.row.metric + "]";
}

std::string mode_text(const compare::Comparison& row) { return row.mode ? record::to_string(*row.mode) : ""; }

std::string change_text(const compare::Comparison& row) {
  return row.ratio ? units::format_change(*row.ratio) : std::string();
}

std::string interval_text(const compare::Comparison& row) {
  if (!row.lower || !row.upper) return "";
  return units::format_change(*row.lower) + " to " + units::format_change(*row.upper);
}

std::string p_text(const compare::Comparison& row) {
  const std::optional<double>& p = row.p_adjusted ? row.p_adjusted : row.p;
  if (!p) return "";
  return *p >= 0.0001 ? fmt::format("{:.4f}", *p) : fmt::format("{:.0e}", *p);
}

std::string mde_text(const compare::Comparison& row) {
  if (!row.ratio || row.test == compare::Test::equality) return "";
  if (!row.mde) return "none";
  return *row.mde > 1 ? "> 100 %" : units::format_percent(*row.mde);
}

std::string processes_text(const compare::Comparison& row) {
  return fmt::format("{}+{}", row.baseline.processes, row.contender.processes);
}

std::string remark(const gate::GateRow& gate) {
  std::string line;
  const auto add = [&line](const std::string& text) { line += (line.empty() ? "" : "; ") + text; };
  if (!gate.allowed.empty()) add("let through: " + gate.allowed);
  if (gate.row.processes_to_decide) {
    add(fmt::format("{} processes a side would decide", *gate.row.processes_to_decide));
  } else if (gate.row.verdict == compare::Verdict::inconclusive && gate.row.sigma) {
    add("too noisy to decide with 1000 processes");
  }
  for (const std::string& note : gate.row.notes) add(note);
  return line;
}

std::string headline(const gate::GateResult& result) {
  std::string line = fmt::format("cupel gate: {}", to_string(result.outcome));
  if (result.interrupted) line += " (interrupted)";
  for (std::size_t i = 0; i < result.reasons.size(); ++i) line += (i == 0 ? ": " : "; ") + result.reasons[i];
  return line;
}

std::string counts_text(const gate::GateResult& result) {
  return fmt::format("{}, {}, {}, {}, {}", count_of(result.slower, "slower"), count_of(result.faster, "faster"),
                     count_of(result.same, "the same"), count_of(result.inconclusive, "undecided"),
                     count_of(result.others, "without figures on both sides"));
}

std::string gate(const GateReport& report, GateFormat format, bool all, std::size_t columns) {
  switch (format) {
    case GateFormat::text:
      return gate_text(report, all, columns);
    case GateFormat::markdown:
      return gate_markdown(report);
    case GateFormat::junit:
      return gate_junit(report);
    case GateFormat::json:
      return gate_json(report);
    case GateFormat::annotations:
      return gate_annotations(report);
    case GateFormat::custom_smaller_is_better:
      return gate_custom_smaller_is_better(report);
    case GateFormat::bencher:
      break;
  }
  return gate_bencher(report);
}

}  // namespace cupel::report
