// The gate as a comment of a pull request: what matters in sight, the rest folded, never longer than a comment may be.
#include <fmt/format.h>

#include "cupel/report/gate/rows.hpp"
#include "cupel/report/text/escape.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

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

}  // namespace

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
                         row->row.verdict == compare::Verdict::faster;
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

}  // namespace cupel::report
