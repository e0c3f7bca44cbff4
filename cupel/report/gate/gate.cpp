#include "cupel/report/gate/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cupel/figures/figure.hpp"
#include "cupel/report/compare/rows.hpp"
#include "cupel/report/gate/rows.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

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

std::vector<const GateRow*> worst_first(const gate::GateResult& result) {
  auto rows = units::filtered(result.rows, [](const GateRow& row) { return row.row.judged; });
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

std::string headline(const gate::GateResult& result) {
  std::string text = fmt::format("cupel gate: {}{}{}", to_string(result.outcome), result.reasons.empty() ? "" : ": ",
                                 units::joined(result.reasons, "; "));
  if (result.outcome == Outcome::passed && result.skipped > 0)
    text += fmt::format("; {} skipped on both sides", units::counted(result.skipped, "row"));
  return text;
}

std::string counts_text(const gate::GateResult& result) {
  return fmt::format(
      "{} slower, {}{} faster, {} the same, {} undecided, {} not gateable, {} skipped on both sides, {} without "
      "figures "
      "on both sides",
      result.slower, result.noisier > 0 ? fmt::format("{} noisier, ", result.noisier) : "", result.faster, result.same,
      result.inconclusive, result.not_gateable, result.skipped, result.others);
}

namespace {

// Mode, change, interval, p, what would be found and processes: the columns of every table.
std::vector<std::string> number_cells(const compare::Comparison& row) {
  return {compared::mode_text(row), change_text(row), interval_text(row),
          compared::p_text(row),    mde_text(row),    compared::count_text(row)};
}

Table table_of(const std::vector<const gate::GateRow*>& rows) {
  Column benchmark = left("benchmark", Fold::above);
  benchmark.is_code = true;
  Table table({left("verdict"), benchmark, left("mode"), right("change"), left("95 % interval"), right("p"),
               right("would find"), right("processes"), left("remark", Fold::below)});
  table.badges = compared::verdict_badges();
  for (const gate::GateRow* row : rows) {
    std::vector<std::string> cells{verdict_text(*row), units::shorten(gate_name(*row))};
    std::ranges::move(number_cells(row->row), std::back_inserter(cells));
    cells.push_back(units::shorten(remark(*row), 300));
    table.row(std::move(cells));
  }
  return table;
}

std::string last_line(const GateReport& report) {
  return fmt::format("{}, exit code {}", units::visible(headline(report.result)), report.exit_code);
}

// The sides, and what must be known of them: of that the first so many.
List head(const GateReport& report, std::size_t most = kAnyWidth) {
  List lines{{"base " + units::shorten(report.base, 1000), "new  " + units::shorten(report.contender, 1000)}, false};
  for (const figures::Difference& difference : report.result.differences) {
    const bool is_hard = difference.hardness == figures::Hardness::hard;
    lines.items.push_back(to_string(difference) + (is_hard ? " (hard: no comparison)" : ""));
  }
  for (const std::string& warning : report.result.warnings) lines.items.push_back("warning: " + warning);
  lines.items.resize(std::min(lines.items.size(), most));
  return lines;
}

constexpr const char* kNotGateable =
    "Not gateable: more processes than a gate affords ({} a side) would be needed to find a difference of the target, "
    "or the time is below the floor. The policy says whether they count.";
constexpr const char* kColumns =
    "change: time of the new side against the base, above 0 is slower. would find: the smallest difference that would "
    "have been found with 95 % probability.";

// For a terminal: what is not the same, and below it what is not gateable.
Page gate_page(const GateReport& report, const GateText& how) {
  const gate::GateResult& result = report.result;
  std::vector<const gate::GateRow*> shown, not_gateable;
  int same = 0;
  for (const gate::GateRow* row : worst_first(result)) {
    const bool folds = !how.all && row->row.verdict == compare::Verdict::same && !row->row.longer_tail;
    same += folds;
    if (!folds) (row->gateable ? shown : not_gateable).push_back(row);
  }
  Page page{"cupel gate", "Gate"};
  page.add(head(report));
  Table changed = table_of(shown), others = table_of(not_gateable);
  if (same > 0) {
    const std::string text = fmt::format("{} the same (--all shows {})", units::counted(same, "row is", "rows are"),
                                         same == 1 ? "it" : "them");
    (shown.empty() ? changed.instead : changed.notes.emplace_back()) = text;
  }
  page.add(std::move(changed));
  others.title = fmt::format(kNotGateable, gate::kAffordable);
  page.add(std::move(others));
  if (!shown.empty() || !not_gateable.empty()) page.add(List{{kColumns}, false});
  if (!result.rows.empty()) page.add(List{{result.method, counts_text(result)}, false});
  return page;
}

std::string gate_text(const GateReport& report, const GateText& how) {
  const std::string last = last_line(report) + "\n";  // one line, however wide: what a script takes by tail -n 1
  return how.quiet ? last : as_text(gate_page(report, how), {how.columns, how.colour}) + last;
}

// For a comment of a pull request: what matters in sight, the rest folded.
Page gate_comment(const GateReport& report) {
  constexpr std::size_t kMostAround = 42;
  const gate::GateResult& result = report.result;
  std::vector<const gate::GateRow*> open, folded;
  for (const gate::GateRow* row : worst_first(result)) {
    const bool matters = row->outcome != gate::Outcome::passed || row->row.verdict == compare::Verdict::slower ||
                         row->row.verdict == compare::Verdict::noisier ||
                         row->row.verdict == compare::Verdict::faster || row->row.longer_tail;
    (matters ? open : folded).push_back(row);
  }
  Page page;
  page.heading(units::shorten(headline(result), 600), 3);
  page.paragraph(counts_text(result));
  page.add(head(report, kMostAround));
  page.add(table_of(open));
  if (!folded.empty()) page.add(Folded{units::counted(std::ssize(folded), "other row"), {table_of(folded)}});
  page.paragraph(units::shorten(result.method, 400));
  return page;
}

}  // namespace

std::string gate(const GateReport& report, GateFormat format, const GateText& how) {
  switch (format) {
    case GateFormat::text:
      return gate_text(report, how);
    case GateFormat::markdown:
      return as_markdown(gate_comment(report), kLongestComment);
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
    case GateFormat::bencher:
      break;
  }
  return gate_bencher(report);
}

}  // namespace cupel::report
