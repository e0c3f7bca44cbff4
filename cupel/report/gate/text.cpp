// The gate for a terminal.
#include <fmt/core.h>

#include "cupel/report/compare/formats.hpp"
#include "cupel/report/gate/rows.hpp"
#include "cupel/report/text/escape.hpp"
#include "cupel/report/text/table.hpp"
#include "cupel/report/text/wrap.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

Table table_of(const std::vector<const gate::GateRow*>& rows) {
  Table table({{"verdict"},
               {"mode"},
               {"change", Align::right},
               {"95 % interval"},
               {"p", Align::right},
               {"would find", Align::right},
               {"processes", Align::right},
               {"benchmark", Align::left, Fold::above},
               {"remark", Align::left, Fold::below}});
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

}  // namespace

std::string gate_text(const GateReport& report, const GateText& how) {
  const gate::GateResult& result = report.result;
  const std::string last = last_line(report) + "\n";  // one line, however wide: what a script takes by tail -n 1
  if (how.quiet) return last;
  const auto wrapped_lines = [&](const std::string& text) { return wrap_lines(text, how.columns); };
  const auto table = [&](const std::vector<const gate::GateRow*>& rows) {
    return table_of(rows).text(how.columns, how.colour ? verdict_badges() : Badges());
  };
  std::vector<const gate::GateRow*> shown, not_gateable;
  int same = 0;
  for (const gate::GateRow* row : worst_first(result)) {
    const bool folds = !how.all && row->row.verdict == compare::Verdict::same;
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

}  // namespace cupel::report
