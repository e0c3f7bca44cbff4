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

// The rows of a page: open ones, and those that are counted or folded away.
struct PageRows {
  Rows gateable, not_gateable, further, same;
};

bool is_the_same(const gate::GateRow& row) { return row.row.verdict == compare::Verdict::same && !row.row.longer_tail; }

bool matters(const gate::GateRow& row) {
  return row.outcome != gate::Outcome::passed || row.row.verdict == compare::Verdict::slower ||
         row.row.verdict == compare::Verdict::noisier || row.row.verdict == compare::Verdict::faster ||
         row.row.longer_tail;
}

// A terminal has the worst of what is not the same, as far as there is room; a comment what matters.
PageRows page_rows(const gate::GateResult& result, const GateText& how, bool is_comment) {
  constexpr std::size_t kMostRows = 8;
  PageRows rows;
  for (const gate::GateRow* row : worst_first(result)) {
    const std::size_t open = rows.gateable.size() + rows.not_gateable.size();
    const bool is_open = is_comment ? matters(*row) : how.all || (!is_the_same(*row) && open < kMostRows);
    (!is_open        ? is_the_same(*row) ? rows.same : rows.further
     : row->gateable ? rows.gateable
                     : rows.not_gateable)
        .push_back(row);
  }
  return rows;
}

// The rows that a terminal does not list, counted.
std::vector<std::string> counted_away(const PageRows& rows) {
  std::vector<std::string> notes;
  if (!rows.same.empty()) {
    const auto count = std::ssize(rows.same);
    notes.push_back(fmt::format("{} the same (--all shows {})", units::counted(count, "row is", "rows are"),
                                count == 1 ? "it" : "them"));
  }
  if (!rows.further.empty()) {
    const std::string count = units::counted(std::ssize(rows.further), "more row", "more rows");
    notes.push_back(fmt::format("{}: {} (--all lists {})", count, counts_of(rows.further),
                                rows.further.size() == 1 ? "it" : "them"));
  }
  return notes;
}

// One page for a terminal and for a comment of a pull request. A terminal counts what it does not list, and its last
// line says the outcome; a comment begins with that, and has all other rows folded away.
Page gate_page(const gate::GateReport& report, const GateText& how, bool is_comment) {
  constexpr std::size_t kMostAround = 42;
  const gate::GateResult& result = report.result;
  const PageRows rows = page_rows(result, how, is_comment);
  Page page{"cupel gate", "Gate"};
  const std::string counts = counts_text(result);
  if (is_comment) {
    page.heading(units::shorten(headline(result), 600), 3);
    page.paragraph(counts);
  }
  page.add(head(report, is_comment ? kMostAround : kAnyWidth));
  Table gateable = table_of(rows.gateable), others = table_of(rows.not_gateable);
  others.title = fmt::format(kNotGateable, gate::kAffordable);
  if (!is_comment) {
    std::vector<std::string> away = counted_away(rows);
    if (rows.gateable.empty() && !rows.same.empty()) {
      gateable.instead = away.front();
      away.erase(away.begin());
    }
    std::ranges::move(away, std::back_inserter(gateable.notes));
  }
  page.add(std::move(gateable));
  page.add(std::move(others));
  if (is_comment && rows.further.size() + rows.same.size() > 0) {
    Rows folded = rows.further;
    folded.insert(folded.end(), rows.same.begin(), rows.same.end());
    page.add(Folded{units::counted(std::ssize(folded), "other row"), {table_of(folded)}});
  }
  if (!rows.gateable.empty() || !rows.not_gateable.empty()) page.add(List{{kExplained}, false});
  if (is_comment) {
    page.paragraph(units::shorten(result.method, 400));
    return page;
  }
  if (!result.rows.empty()) page.add(List{{counts + ".", result.method + "."}, false});
  page.add(List{result.reasons, false});
  return page;
}

}  // namespace

std::string gate(const gate::GateReport& report, GateFormat format, const GateText& how) {
  if (format == GateFormat::text)
    return (how.quiet ? "" : as_text(gate_page(report, how, false), how.terminal)) +
           last_line(report, how.quiet, how.terminal.colour);
  return format == GateFormat::markdown ? as_markdown(gate_page(report, how, true), kLongestComment)
                                        : gate_export(report, format);
}

}  // namespace cupel::report
