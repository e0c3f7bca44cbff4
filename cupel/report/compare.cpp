#include "cupel/report/compare.hpp"

#include <fmt/core.h>

#include "cupel/report/compare_formats.hpp"
#include "cupel/report/compare_rows.hpp"
#include "cupel/report/escape.hpp"
#include "cupel/report/table.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report {

using namespace compared;

namespace {

using compare::Comparison;

constexpr std::size_t kLongestLabel = 40;
constexpr std::size_t kLongestNote = 160;

// Whatever came from a file, fit for a cell.
std::string cell(const std::string& text, std::size_t longest = 120) { return shorten(escape_text(text), longest); }

std::string label(const ComparedFile& file) { return cell(file.label, kLongestLabel); }

Table environment_table(const CompareReport& report) {
  std::vector<Column> columns{{"differs"}, {""}, {label(report.reference)}};
  for (const ComparedContender& contender : report.contenders) columns.push_back({label(contender.file)});
  Table table(columns);
  for (const EnvironmentLine& line : environment_lines(report)) {
    std::vector<std::string> cells{cell(line.key), line.hard ? "hard" : ""};
    for (const std::string& value : line.values) cells.push_back(cell(value, 80));
    table.row(cells);
  }
  return table;
}

std::vector<Column> columns(const CompareReport& report) {
  std::vector<Column> columns{{"benchmark"}, {label(report.reference), Align::right}, {"of limit", Align::right}};
  for (const ComparedContender& contender : report.contenders) {
    columns.push_back({label(contender.file), Align::right});
    columns.push_back({"of limit", Align::right});
    columns.push_back({"ratio", Align::right});
    columns.push_back({"interval"});
    columns.push_back({"p", Align::right});
    columns.push_back({"MDE", Align::right});
    columns.push_back({"n", Align::right});
    columns.push_back({"verdict"});
  }
  columns.push_back({"notes"});
  return columns;
}

void add_contender(std::vector<std::string>& cells, const Comparison* row) {
  if (row == nullptr) {
    cells.insert(cells.end(), 8, "");
    return;
  }
  for (std::string text : {value_text(*row, row->contender), share_text(row->contender), ratio_text(*row),
                           interval_text(*row), p_text(*row), mde_text(*row), count_text(*row), verdict_text(*row)}) {
    cells.push_back(cell(text));
  }
}

std::string notes(const CompareReport& report, const CompareRow& row) {
  std::string text;
  for (std::size_t c = 0; c < row.in.size(); ++c) {
    if (row.in[c] == nullptr) continue;
    const std::string note = notes_text(*row.in[c]);
    if (note.empty()) continue;
    text += text.empty() ? "" : "; ";
    text += row.in.size() == 1 ? note : report.contenders[c].file.label + ": " + note;
  }
  return cell(text, kLongestNote * row.in.size());
}

Table rows_table(const CompareReport& report, const std::vector<CompareRow>& rows) {
  Table table(columns(report));
  for (const CompareRow& row : rows) {
    const Comparison& any = row.any();
    std::vector<std::string> cells{cell(label_text(any)), cell(value_text(any, any.baseline)),
                                   share_text(any.baseline)};
    for (const Comparison* one : row.in) add_contender(cells, one);
    cells.push_back(notes(report, row));
    table.row(std::move(cells));
  }
  return table;
}

std::string mean_text(const compare::FamilySummary& family) {
  return family.ratio ? ratio_digits(family.ratio->value) : "";
}

std::string mean_interval_text(const compare::FamilySummary& family) {
  if (!family.ratio || family.ratio->interval.level <= 0) return "";
  return "[" + ratio_digits(family.ratio->interval.low) + ", " + ratio_digits(family.ratio->interval.high) + "]";
}

Table families_table(const CompareReport& report) {
  const auto right = Align::right;
  Table table({{"family"},
               {"contender"},
               {"geometric mean", right},
               {"interval"},
               {"benchmarks", right},
               {"slower", right},
               {"faster", right},
               {"same", right},
               {"inconclusive", right},
               {"others", right}});
  for (const ComparedContender& contender : report.contenders) {
    for (const compare::FamilySummary& family : contender.families) {
      table.row({cell(family.family), label(contender.file), mean_text(family), mean_interval_text(family),
                 std::to_string(family.benchmarks), std::to_string(family.slower), std::to_string(family.faster),
                 std::to_string(family.same), std::to_string(family.inconclusive), std::to_string(family.others)});
    }
  }
  return table;
}

std::vector<std::string> heading(const CompareReport& report) {
  std::vector<std::string> lines;
  lines.push_back("reference  " + label(report.reference) + ": " + cell(file_line(report.reference), 400));
  for (const ComparedContender& contender : report.contenders) {
    lines.push_back("contender  " + label(contender.file) + ": " + cell(file_line(contender.file), 400));
  }
  return lines;
}

std::vector<std::string> closing(const CompareReport& report, const CompareOptions& options,
                                 const std::vector<CompareRow>& rows) {
  std::vector<std::string> lines;
  for (const std::string& line : legend(report, rows)) lines.push_back(cell(line, 800));
  const std::size_t folded = options.all ? 0 : folded_counters(report);
  if (folded > 0) {
    lines.push_back(fmt::format("{} counter{} not shown: the same, undecided, or not judged and unchanged (--all).",
                                folded, folded == 1 ? "" : "s"));
  }
  return lines;
}

constexpr const char* kSameEnvironment = "No difference between the environments is known.";
constexpr const char* kFamilies =
    "Geometric mean of the ratios and its bootstrap interval over benchmarks; with fewer than 5, read the rows.";

std::string as_text(const CompareReport& report, const CompareOptions& options) {
  const std::vector<CompareRow> rows = compare_rows(report, options);
  std::string text;
  for (const std::string& line : heading(report)) text += line + "\n";
  const Table environment = environment_table(report);
  text += "\n" + (environment.empty() ? std::string(kSameEnvironment) + "\n" : environment.text());
  text += rows.empty() ? "\nNo rows to show.\n" : "\n" + rows_table(report, rows).text();
  if (const Table families = families_table(report); !families.empty()) {
    text += "\n" + families.text() + kFamilies + "\n";
  }
  text += "\n";
  for (const std::string& line : closing(report, options, rows)) text += line + "\n";
  return text;
}

std::string as_markdown(const CompareReport& report, const CompareOptions& options) {
  const std::vector<CompareRow> rows = compare_rows(report, options);
  std::string text;
  for (const std::string& line : heading(report)) text += "- " + escape_markdown(line) + "\n";
  const Table environment = environment_table(report);
  text += "\n" + (environment.empty() ? std::string(kSameEnvironment) + "\n" : environment.markdown());
  text += rows.empty() ? "\nNo rows to show.\n" : "\n" + rows_table(report, rows).markdown();
  if (const Table families = families_table(report); !families.empty()) {
    text += "\n" + families.markdown() + "\n" + kFamilies + "\n";
  }
  text += "\n";
  for (const std::string& line : closing(report, options, rows)) text += "- " + escape_markdown(line) + "\n";
  return text;
}

}  // namespace

std::string compare(const CompareReport& report, const CompareOptions& options) {
  switch (options.format) {
    case CompareFormat::markdown:
      return as_markdown(report, options);
    case CompareFormat::csv:
      return compare_csv(report, options);
    case CompareFormat::json:
      return compare_json(report, options);
    case CompareFormat::html:
      return compare_html(report, options);
    case CompareFormat::text:
      break;
  }
  return as_text(report, options);
}

}  // namespace cupel::report
