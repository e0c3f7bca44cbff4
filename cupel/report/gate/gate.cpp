#include "cupel/report/gate/gate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/figures/figure.hpp"
#include "cupel/report/compare/rows.hpp"
#include "cupel/report/gate/rows.hpp"
#include "cupel/report/page/escape.hpp"
#include "cupel/report/page/lists.hpp"
#include "cupel/report/page/table.hpp"
#include "cupel/report/page/wrap.hpp"
#include "cupel/units/format.hpp"
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
  return joined(parts, "; ");
}

std::string headline(const gate::GateResult& result) {
  std::string text = fmt::format("cupel gate: {}{}{}", to_string(result.outcome), result.reasons.empty() ? "" : ": ",
                                 joined(result.reasons, "; "));
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

// ---- For a terminal

Table table_of(const std::vector<const gate::GateRow*>& rows) {
  Table table({left("verdict"), left("mode"), right("change"), left("95 % interval"), right("p"), right("would find"),
               right("processes"), left("benchmark", Fold::above), left("remark", Fold::below)});
  for (const gate::GateRow* row : rows) {
    std::vector<std::string> cells = number_cells(row->row);
    cells.insert(cells.begin(), verdict_text(*row));
    cells.push_back(shorten(gate_name(*row)));
    cells.push_back(shorten(remark(*row), 300));
    table.row(std::move(cells));
  }
  return table;
}

std::string last_line(const GateReport& report) {
  return fmt::format("{}, exit code {}", units::visible(headline(report.result)), report.exit_code);
}

// The sides, and what must be known of them.
std::string head(const GateReport& report) {
  std::string text = fmt::format("base {}\nnew  {}\n", shorten(report.base, 1000), shorten(report.contender, 1000));
  for (const figures::Difference& difference : report.result.differences) {
    text += fmt::format("{}{}\n", units::visible(to_string(difference)),
                        difference.hardness == figures::Hardness::hard ? " (hard: no comparison)" : "");
  }
  for (const std::string& warning : report.result.warnings) text += "warning: " + units::visible(warning) + "\n";
  return text;
}

constexpr const char* kNotGateable =
    "Not gateable: more processes than a gate affords ({} a side) would be needed to find a difference of the target, "
    "or "
    "the time is below the floor. The policy says whether they count.\n";

std::string gate_text(const GateReport& report, const GateText& how) {
  const gate::GateResult& result = report.result;
  const std::string last = last_line(report) + "\n";  // one line, however wide: what a script takes by tail -n 1
  if (how.quiet) return last;
  const auto wrapped_lines = [&](const std::string& text) { return wrap_lines(text, how.columns); };
  const auto table = [&](const std::vector<const gate::GateRow*>& rows) {
    return table_of(rows).text(how.columns, how.colour ? compared::verdict_badges() : Badges());
  };
  std::vector<const gate::GateRow*> shown, not_gateable;
  int same = 0;
  for (const gate::GateRow* row : worst_first(result)) {
    const bool folds = !how.all && row->row.verdict == compare::Verdict::same && !row->row.longer_tail;
    same += folds;
    if (!folds) (row->gateable ? shown : not_gateable).push_back(row);
  }
  std::string text = wrapped_lines(head(report));
  if (!shown.empty()) text += "\n" + table(shown);
  if (same > 0) {
    text += fmt::format("{}{} the same (--all shows {})\n", shown.empty() ? "\n" : "",
                        same == 1 ? "1 row is" : fmt::format("{} rows are", same), same == 1 ? "it" : "them");
  }
  if (!not_gateable.empty()) {
    text += "\n" + wrapped_lines(fmt::format(kNotGateable, gate::kAffordable)) + table(not_gateable);
  }
  if (!shown.empty() || !not_gateable.empty()) {
    text += "\n" + wrapped_lines(
                       "change: time of the new side against the base, above 0 is slower. would find: the smallest "
                       "difference that would have been found with 95 % probability.\n");
  }
  if (!result.rows.empty()) text += "\n" + wrapped_lines(result.method + "\n" + counts_text(result) + "\n");
  return text + last;
}

// ---- As a comment of a pull request: what matters in sight, the rest folded, never longer than a comment may be

constexpr const char* kHead =
    "| verdict | benchmark | mode | change | 95 % interval | p | would find | processes | remark |\n"
    "|---|---|---|--:|---|--:|--:|--:|---|\n";

constexpr std::size_t kLongestName = 120, kLongestRemark = 200;
// Kept for what follows the rows: the count of those left out, the ends of folds, the method.
constexpr std::size_t kReserve = 2'000;

std::string cut(const std::string& text, std::size_t longest) { return escape_markdown(shorten(text, longest)); }

std::string line_of(const gate::GateRow& row) {
  return fmt::format("| {} | {} | {} | {} |\n", verdict_text(row), markdown_code(shorten(gate_name(row), kLongestName)),
                     fmt::join(number_cells(row.row), " | "), cut(remark(row), kLongestRemark));
}

// Rows until the text would be too long; says how many were left out.
void append_rows(std::string& text, const std::vector<const gate::GateRow*>& rows, std::size_t longest) {
  text += kHead;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string line = line_of(*rows[i]);
    if (text.size() + line.size() > longest) {
      text += fmt::format("\n{} did not fit here; the JSON output has all.\n",
                          units::counted(std::ssize(rows) - static_cast<std::ptrdiff_t>(i), "more row"));
      return;
    }
    text += line;
  }
}

std::string gate_markdown(const GateReport& report) {
  const gate::GateResult& result = report.result;
  std::string text = fmt::format("### {}\n\n{}\n\n", cut(headline(result), 600), counts_text(result));
  text += fmt::format("base {}, new {}\n", markdown_code(shorten(report.base, 300)),
                      markdown_code(shorten(report.contender, 300)));
  std::size_t lines = 0;
  for (const figures::Difference& difference : result.differences) {
    if (++lines <= 20) text += fmt::format("\n- {}", cut(to_string(difference), 200));
  }
  for (const std::string& warning : result.warnings) {
    if (++lines <= 40) text += fmt::format("\n- warning: {}", cut(warning, 200));
  }
  if (lines > 0) text += "\n";

  std::vector<const gate::GateRow*> open, folded;
  for (const gate::GateRow* row : worst_first(result)) {
    const bool matters = row->outcome != gate::Outcome::passed || row->row.verdict == compare::Verdict::slower ||
                         row->row.verdict == compare::Verdict::noisier ||
                         row->row.verdict == compare::Verdict::faster || row->row.longer_tail;
    (matters ? open : folded).push_back(row);
  }
  const std::size_t longest = kLongestComment - kReserve;
  if (!open.empty()) {
    text += "\n";
    append_rows(text, open, folded.empty() ? longest : longest * 3 / 4);
  }
  if (!folded.empty()) {
    text += fmt::format("\n<details><summary>{}</summary>\n\n", units::counted(std::ssize(folded), "other row"));
    append_rows(text, folded, longest);
    text += "\n</details>\n";
  }
  return text + fmt::format("\n{}\n", cut(result.method, 400));
}

}  // namespace

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
