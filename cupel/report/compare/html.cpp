#include <fmt/core.h>

#include "cupel/report/compare/formats.hpp"
#include "cupel/report/compare/rows.hpp"
#include "cupel/report/text/escape.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {

using namespace compared;

namespace {

using compare::Comparison;
using compare::Verdict;

// Colours reach WCAG AA (4.5:1) on both backgrounds; every verdict is also a word.
constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --line: #ccc; --bad: #a40000; --good: #00622b; --doubt: #6b4e00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #161616; --line: #444; --bad: #ff8f85; --good: #6fd08c; --doubt: #e0b84c; }
}
body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem; color: var(--ink); background: var(--paper); }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .6rem; text-align: right; white-space: nowrap; }
th { position: sticky; top: 0; background: var(--paper); }
th[scope=row], .left { text-align: left; white-space: normal; overflow-wrap: anywhere; max-width: 40rem; font-weight: 400; }
.bad { color: var(--bad); } .good { color: var(--good); } .doubt { color: var(--doubt); }
@media print { th { position: static; } }
)";

constexpr std::size_t kLongest = 500;

std::string safe(const std::string& text) { return escape_html(shorten(escape_text(text), kLongest)); }

const char* css_class(const compare::Comparison& row) {
  if (!row.judged) return "";
  switch (row.verdict) {
    case compare::Verdict::same:
      return "";
    case compare::Verdict::faster:
      return " good";
    case compare::Verdict::inconclusive:
    case compare::Verdict::added:
      return " doubt";
    default:
      return " bad";
  }
}

void cell(std::string& html, const std::string& text) { html += "<td>" + safe(text) + "</td>"; }

void left_cell(std::string& html, const std::string& text, const char* also = "") {
  html += fmt::format("<td class=\"left{}\">{}</td>", also, safe(text));
}

void head_cell(std::string& html, const std::string& text, bool left = false) {
  html += fmt::format("<th scope=\"col\"{}>{}</th>", left ? " class=\"left\"" : "", safe(text));
}

void row_head(std::string& html, const std::string& text) { html += "<tr><th scope=\"row\">" + safe(text) + "</th>"; }

std::string environment(const CompareReport& report) {
  const std::vector<EnvironmentLine> lines = environment_lines(report);
  if (lines.empty()) return "<p>No difference between the environments is known.</p>\n";
  std::string html = "<table><caption>What differs between the environments</caption><thead><tr>";
  head_cell(html, "differs", true);
  head_cell(html, "", true);
  head_cell(html, report.reference.label, true);
  for (const ComparedContender& contender : report.contenders) head_cell(html, contender.file.label, true);
  html += "</tr></thead><tbody>\n";
  for (const EnvironmentLine& line : lines) {
    row_head(html, line.key);
    left_cell(html, line.hard ? "hard" : "");
    for (const std::string& value : line.values) left_cell(html, value);
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

void contender_cells(std::string& html, const compare::Comparison* row) {
  if (row == nullptr) {
    html += "<td colspan=\"8\"></td>";
    return;
  }
  cell(html, value_text(*row, row->contender));
  cell(html, share_text(row->contender));
  cell(html, ratio_text(*row));
  cell(html, interval_text(*row));
  cell(html, p_text(*row));
  cell(html, mde_text(*row));
  cell(html, count_text(*row));
  left_cell(html, verdict_text(*row), css_class(*row));
}

std::string notes(const CompareReport& report, const CompareRow& row) {
  std::string text;
  for (std::size_t c = 0; c < row.in.size(); ++c) {
    const std::string note = row.in[c] == nullptr ? "" : notes_text(*row.in[c]);
    if (note.empty()) continue;
    text += text.empty() ? "" : "; ";
    text += row.in.size() == 1 ? note : report.contenders[c].file.label + ": " + note;
  }
  return text;
}

std::string rows_table(const CompareReport& report, const std::vector<CompareRow>& rows) {
  std::string html = "<table><caption>Benchmarks</caption><thead><tr>";
  head_cell(html, "benchmark", true);
  head_cell(html, report.reference.label);
  head_cell(html, "of limit");
  for (const ComparedContender& contender : report.contenders) {
    head_cell(html, contender.file.label);
    for (const char* title : {"of limit", "ratio", "interval", "p", "MDE", "n"}) head_cell(html, title);
    head_cell(html, "verdict", true);
  }
  head_cell(html, "notes", true);
  html += "</tr></thead><tbody>\n";
  for (const CompareRow& row : rows) {
    const compare::Comparison& any = row.any();
    row_head(html, label_text(any));
    cell(html, value_text(any, any.baseline));
    cell(html, share_text(any.baseline));
    for (const compare::Comparison* one : row.in) contender_cells(html, one);
    left_cell(html, notes(report, row));
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string families_table(const CompareReport& report) {
  std::string html =
      "<table><caption>Families: geometric mean of the ratios, bootstrap interval over benchmarks</caption><thead><tr>";
  head_cell(html, "family", true);
  head_cell(html, "contender", true);
  for (const char* title :
       {"geometric mean", "interval", "benchmarks", "slower", "faster", "same", "inconclusive", "others"}) {
    head_cell(html, title);
  }
  html += "</tr></thead><tbody>\n";
  for (const ComparedContender& contender : report.contenders) {
    for (const compare::FamilySummary& family : contender.families) {
      row_head(html, family.family);
      left_cell(html, contender.file.label);
      const bool wide = family.ratio && family.ratio->interval.level > 0;
      cell(html, family.ratio ? units::format_fixed(family.ratio->value, 3) : "");
      cell(html, wide ? fmt::format("[{}, {}]", units::format_fixed(family.ratio->interval.low, 3),
                                    units::format_fixed(family.ratio->interval.high, 3))
                      : "");
      for (const int count :
           {family.benchmarks, family.slower, family.faster, family.same, family.inconclusive, family.others}) {
        cell(html, std::to_string(count));
      }
      html += "</tr>\n";
    }
  }
  return html + "</tbody></table>\n";
}

}  // namespace

std::string html_page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
         "'none'; style-src 'unsafe-inline'\">\n<title>" +
         safe(title) + "</title>\n<style>" + kStyle + "</style></head><body>\n" + body + "</body></html>\n";
}

std::string compare_html(const CompareReport& report, const CompareOptions& options) {
  const std::vector<CompareRow> rows = compare_rows(report, options);
  std::string body = "<h1>Comparison</h1>\n<ul>\n";
  body += "<li>reference " + safe(report.reference.label + ": " + file_line(report.reference)) + "</li>\n";
  for (const ComparedContender& contender : report.contenders) {
    body += "<li>contender " + safe(contender.file.label + ": " + file_line(contender.file)) + "</li>\n";
  }
  body += "</ul>\n" + environment(report) + rows_table(report, rows) + families_table(report) + "<ul>\n";
  for (const std::string& line : legend(report, rows)) body += "<li>" + safe(line) + "</li>\n";
  return html_page("cupel compare", body + "</ul>\n");
}

}  // namespace cupel::report
