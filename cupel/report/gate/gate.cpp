#include "cupel/report/gate/gate.hpp"
#include "cupel/compare/side_by_side.hpp"
#include "cupel/gate/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

#include "cupel/report/compare/rows.hpp"
#include "cupel/report/gate/exports.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/report/page/verdicts.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using Rows = std::vector<const gate::GateRow*>;

// The notes that all of several rows have: they are said once.
std::vector<std::string> common_notes(const Rows& rows) {
  if (rows.size() < 2) return {};
  std::vector<std::string> common = rows.front()->row.notes;
  std::erase_if(common, [&](const std::string& note) {
    return !std::ranges::all_of(rows, [&](const gate::GateRow* row) { return units::contains(row->row.notes, note); });
  });
  return common;
}

// said: notes that need not be said of a row.
std::string remark_without(const gate::GateRow& row, const std::vector<std::string>& said) {
  gate::GateRow other = row;
  std::erase_if(other.row.notes, [&](const std::string& note) { return units::contains(said, note); });
  return units::shorten(remark(other), 300);
}

Table table_of(const Rows& rows) {
  Column benchmark = left("benchmark", Fold::above);
  benchmark.is_code = true;
  Table table({left("verdict"), benchmark, left("mode"), right("time"), left("95 % interval"), right("p"),
               right("would find"), right("processes"), left("remark", Fold::below)});
  table.badges = verdict_badges();
  table.badges[to_string(compare::Verdict::missing)] = Badge::bad;
  const std::vector<std::string> common = common_notes(rows);
  for (const gate::GateRow* row : rows) {
    const compare::Comparison& numbers = row->row;
    table.row({verdict_text(*row), units::shorten(gate_name(*row)), compare::mode_text(numbers),
               gate::change_text(numbers), gate::change_interval_text(numbers), compare::p_text(numbers),
               gate::would_find_text(numbers), compare::count_text(numbers), remark_without(*row, common)});
  }
  if (!common.empty()) table.notes.push_back("each of these: " + units::shorten(units::joined(common, "; "), 300));
  return table;
}

Badge badge_of(gate::Outcome outcome) {
  if (outcome == gate::Outcome::passed) return Badge::good;
  return outcome == gate::Outcome::undecided ? Badge::warn : Badge::bad;
}

// The last line, short enough for any terminal below the reasons; where it stands alone, it has them too, however wide
// that is.
std::string last_line(const gate::GateReport& report, bool alone, bool colour) {
  const std::string says = alone ? gate::headline(report.result) : gate::outcome_text(report.result);
  const std::string line = fmt::format("{}, exit code {}", units::visible(says), report.exit_code);
  const gate::Outcome outcome = report.result.outcome;
  return (colour ? with_verdicts(line, {{to_string(outcome), badge_of(outcome)}}) : line) + "\n";
}

// The sides, and what must be known of them: of that the first so many.
List head(const gate::GateReport& report, std::size_t most = kAnyWidth) {
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

// Counts rows that are not listed: "158 MISSING, 4 INCONCLUSIVE".
std::string counts_of(const Rows& rows) {
  std::vector<std::pair<std::string, int>> counts;
  for (const gate::GateRow* row : rows)
    ++units::entry(counts, verdict_text(*row), &std::pair<std::string, int>::first).second;
  return units::joined(
      counts | std::views::transform([](const auto& one) { return fmt::format("{} {}", one.second, one.first); }));
}

// For a terminal: the worst of what is not the same, and below it what is not gateable, as far as there is room.
Page gate_page(const gate::GateReport& report, const GateText& how) {
  constexpr std::size_t kMostRows = 8;
  const gate::GateResult& result = report.result;
  Rows shown, not_gateable, further;
  int same = 0;
  for (const gate::GateRow* row : worst_first(result)) {
    const bool folds = !how.all && row->row.verdict == compare::Verdict::same && !row->row.longer_tail;
    same += folds;
    if (folds) continue;
    const bool has_room = how.all || shown.size() + not_gateable.size() < kMostRows;
    (!has_room ? further : row->gateable ? shown : not_gateable).push_back(row);
  }
  Page page{"cupel gate", "Gate"};
  page.add(head(report));
  Table changed = table_of(shown), others = table_of(not_gateable);
  if (same > 0) {
    const std::string text = fmt::format("{} the same (--all shows {})", units::counted(same, "row is", "rows are"),
                                         same == 1 ? "it" : "them");
    (shown.empty() ? changed.instead : changed.notes.emplace_back()) = text;
  }
  if (!further.empty()) {
    const std::string count = units::counted(std::ssize(further), "more row", "more rows");
    changed.notes.push_back(
        fmt::format("{}: {} (--all lists {})", count, counts_of(further), further.size() == 1 ? "it" : "them"));
  }
  page.add(std::move(changed));
  others.title = fmt::format(kNotGateable, gate::kAffordable);
  page.add(std::move(others));
  if (!shown.empty() || !not_gateable.empty()) page.add(List{{kExplained}, false});
  if (!result.rows.empty()) page.add(List{{counts_text(result) + ".", result.method + "."}, false});
  page.add(List{result.reasons, false});
  return page;
}

// For a comment of a pull request: what matters in sight, the rest folded.
Page gate_comment(const gate::GateReport& report) {
  constexpr std::size_t kMostAround = 42;
  const gate::GateResult& result = report.result;
  Rows open, folded;
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

std::string gate(const gate::GateReport& report, GateFormat format, const GateText& how) {
  if (format == GateFormat::text)
    return (how.quiet ? "" : as_text(gate_page(report, how), how.terminal)) +
           last_line(report, how.quiet, how.terminal.colour);
  return format == GateFormat::markdown ? as_markdown(gate_comment(report), kLongestComment)
                                        : gate_export(report, format);
}

}  // namespace cupel::report
