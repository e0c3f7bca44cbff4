#include "cupel/report/gate/gate.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cupel/figures/figure.hpp"
#include "cupel/report/compare/rows.hpp"
#include "cupel/report/gate/rows.hpp"
#include "cupel/report/text/lists.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

using compare::Verdict;
using gate::GateRow;
using gate::Outcome;

// Place in the order of rows; less is worse.
int rank(const GateRow& gate) {
  if (gate.outcome == gate::Outcome::regression) return 0;
  if (gate.outcome == gate::Outcome::incomplete) return 1;
  switch (gate.row.verdict) {
    case Verdict::inconclusive:
      return gate.gateable ? 2 : 7;
    case Verdict::faster:
      return 4;
    case Verdict::added:
      return 5;
    case Verdict::same:
      return 6;
    default:
      return 3;
  }
}

}  // namespace

std::vector<const GateRow*> worst_first(const gate::GateResult& result) {
  auto rows = those(result.rows, [](const GateRow& row) { return row.row.judged; });
  std::ranges::stable_sort(rows, [](const GateRow* a, const GateRow* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    return a->row.ratio.value_or(0) > b->row.ratio.value_or(0);
  });
  return rows;
}

std::string verdict_text(const GateRow& row) { return row.gateable ? to_string(row.row.verdict) : "NOT-GATEABLE"; }

std::string gate_name(const GateRow& row) { return compared::label_text(row.row); }

std::string change_text(const compare::Comparison& row) {
  return row.ratio ? units::format_change(*row.ratio) : std::string();
}

std::string interval_text(const compare::Comparison& row) {
  if (!row.lower || !row.upper) return "";
  return units::format_change(*row.lower) + " to " + units::format_change(*row.upper) +
         (compare::is_range(row) ? " (range)" : "");
}

std::string mde_text(const compare::Comparison& row) {
  if (!row.ratio || row.test == compare::Test::equality) return "";
  if (!row.mde) return "none";
  return *row.mde > 1 ? "> 100 %" : units::format_percent(*row.mde);
}

std::vector<std::string> number_cells(const compare::Comparison& row) {
  return {compared::mode_text(row), change_text(row), interval_text(row),
          compared::p_text(row),    mde_text(row),    compared::count_text(row)};
}

std::string remark(const GateRow& gate) {
  std::vector<std::string> parts;
  if (!gate.allowed.empty()) parts.push_back("let through: " + gate.allowed);
  if (gate.row.processes_to_decide) {
    parts.push_back(fmt::format("{} processes a side would decide", *gate.row.processes_to_decide));
  } else if (gate.row.verdict == Verdict::inconclusive && gate.row.sigma) {
    parts.push_back("too noisy to decide with 1000 processes");
  }
  parts.insert(parts.end(), gate.row.notes.begin(), gate.row.notes.end());
  return joined(parts, "; ");
}

std::string headline(const gate::GateResult& result) {
  return fmt::format("cupel gate: {}{}{}", to_string(result.outcome), result.reasons.empty() ? "" : ": ",
                     joined(result.reasons, "; "));
}

std::string counts_text(const gate::GateResult& result) {
  return fmt::format(
      "{} slower, {} faster, {} the same, {} undecided, {} not gateable, {} without figures on both sides",
      result.slower, result.faster, result.same, result.inconclusive, result.not_gateable, result.others);
}

std::string gate(const GateReport& report, GateFormat format, const GateText& how) {
  switch (format) {
    case GateFormat::text:
      return gate_text(report, how);
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
