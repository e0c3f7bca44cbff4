#include "cupel/gate/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/compare/side_by_side.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::gate {
namespace {

using compare::Verdict;

// Place in the order of rows; less is worse.
int rank(const GateRow& gate) {
  if (gate.outcome == Outcome::regression) return 0;
  if (gate.outcome == Outcome::incomplete) return 1;
  switch (gate.row.verdict) {
    case Verdict::inconclusive:
      return gate.gateable ? 2 : 7;
    case Verdict::faster:
      return 4;
    case Verdict::skipped:
    case Verdict::added:
      return 5;
    case Verdict::same:
      return 6;
    default:
      return 3;
  }
}

}  // namespace

std::vector<const GateRow*> worst_first(const GateResult& result) {
  auto rows = units::filtered(result.rows, [](const GateRow& row) { return row.row.judged; });
  std::ranges::stable_sort(rows, [](const GateRow* a, const GateRow* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    return a->row.ratio.value_or(0) > b->row.ratio.value_or(0);
  });
  return rows;
}

std::string verdict_text(const GateRow& row) { return row.gateable ? compare::verdict_text(row.row) : "NOT-GATEABLE"; }

std::string gate_name(const GateRow& row) { return compare::label_text(row.row); }

std::string change_text(const compare::Comparison& row) {
  return row.ratio ? units::format_change(*row.ratio) : std::string();
}

std::string change_interval_text(const compare::Comparison& row) {
  if (!row.lower || !row.upper) return "";
  return units::format_change(*row.lower) + " to " + units::format_change(*row.upper) +
         (compare::is_range(row) ? " (range)" : "");
}

std::string would_find_text(const compare::Comparison& row) {
  if (!row.ratio || row.test == compare::Test::equality) return "";
  if (!row.mde) return "none";
  return *row.mde > 1 ? "> 100 %" : units::format_percent(*row.mde);
}

static bool excludes_no_change(const compare::Comparison& row) {
  return row.lower && row.upper && (*row.lower > 1 || *row.upper < 1);
}

std::string remark(const GateRow& gate) {
  std::vector<std::string> parts;
  if (!gate.allowed.empty()) parts.push_back("let through: " + gate.allowed);
  if (gate.row.processes_to_decide) {
    parts.push_back(fmt::format("{} processes a side would decide", *gate.row.processes_to_decide));
  } else if (gate.row.verdict == Verdict::inconclusive && gate.row.sigma && !excludes_no_change(gate.row)) {
    parts.push_back("too noisy to decide with 1000 processes");
  }
  parts.insert(parts.end(), gate.row.notes.begin(), gate.row.notes.end());
  return units::joined(parts, "; ");
}

std::string outcome_text(const GateResult& result) {
  std::string text = fmt::format("cupel gate: {}", to_string(result.outcome));
  if (result.outcome == Outcome::passed && result.skipped > 0)
    text += fmt::format("; {} skipped on both sides", units::counted(result.skipped, "row"));
  return text;
}

std::string headline(const GateResult& result) {
  return outcome_text(result) + (result.reasons.empty() ? "" : ": ") + units::joined(result.reasons, "; ");
}

std::string counts_text(const GateResult& result) {
  std::vector<const compare::Comparison*> rows;
  for (const GateRow& row : result.rows) {
    if (row.row.judged && row.gateable) rows.push_back(&row.row);
  }
  const auto others = std::ranges::count_if(result.rows, [](const GateRow& row) { return !row.gateable; });
  std::string text = rows.empty() ? "" : compare::counts_text(rows);
  if (others > 0) units::append(text, fmt::format("{} not gateable", others), "; ");
  return text;
}

}  // namespace cupel::gate
