// The gate for a terminal.
#include <fmt/core.h>

#include "cupel/report/gate/rows.hpp"
#include "cupel/report/text/escape.hpp"
#include "cupel/report/text/table.hpp"
#include "cupel/report/text/wrap.hpp"

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
    cells.insert(cells.begin(), to_string(row->row.verdict));
    cells.push_back(shorten(escape_text(gate_name(*row))));
    cells.push_back(shorten(escape_text(remark(*row)), 300));
    table.row(std::move(cells));
  }
  return table;
}

}  // namespace

std::string gate_text(const GateReport& report, bool all, std::size_t columns) {
  const gate::GateResult& result = report.result;
  std::string text = fmt::format("base {}\nnew  {}\n", shorten(escape_text(report.base), 1000),
                                 shorten(escape_text(report.contender), 1000));
  for (const figures::Difference& difference : result.differences) {
    text += fmt::format("{}{}\n", escape_text(to_string(difference)),
                        difference.hardness == figures::Hardness::hard ? " (hard: no comparison)" : "");
  }
  for (const std::string& warning : result.warnings) text += "warning: " + escape_text(warning) + "\n";
  std::vector<const gate::GateRow*> shown;
  int left_out = 0;
  for (const gate::GateRow* row : worst_first(result)) {
    if (all || row->row.verdict != compare::Verdict::same) {
      shown.push_back(row);
    } else {
      ++left_out;
    }
  }
  if (!shown.empty()) text += "\n" + table_of(shown).text(columns);
  if (left_out > 0)
    text +=
        fmt::format("{}{} the same (--all shows {})\n", shown.empty() ? "\n" : "",
                    left_out == 1 ? "1 row is" : fmt::format("{} rows are", left_out), left_out == 1 ? "it" : "them");
  if (!shown.empty()) {
    text += "\n" + wrap_lines(
                       "change: time of the new side against the base, above 0 is slower. would find: the smallest "
                       "difference that would have been found with 95 % probability.\n",
                       columns);
  }
  if (!result.rows.empty())
    text += (shown.empty() ? "\n" : "") + wrap_lines(counts_text(result) + "\n" + result.method + "\n", columns);
  return text + wrap(fmt::format("{}, exit code {}", escape_text(headline(result)), report.exit_code), columns) + "\n";
}

}  // namespace cupel::report
