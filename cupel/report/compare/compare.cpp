#include "cupel/report/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "cupel/figures/pivot.hpp"
#include "cupel/report/compare/rows.hpp"
#include "cupel/report/compare/steps.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {

namespace {

using compare::ComparedContender;
using compare::ComparedFile;
using compare::CompareReport;
using compare::CompareRow;
using compare::Comparison;
using compare::EnvironmentLine;
using Rows = std::span<const CompareRow>;

constexpr std::size_t kLongestLabel = 40;
constexpr std::size_t kLongestTitle = 14;  // of a column
constexpr std::size_t kLongestNote = 160;
constexpr const char* kSameEnvironment = "No difference between the environments is known.";
constexpr const char* kFamilies = "speed: above 1 is faster; geometric mean; below 5, see rows. others: no verdict.";
constexpr const char* kListed = "Listed: what is slower, and what changed most.";
constexpr const char* kSpeed = "speed";  // the column of how many times as fast the contender is, "1.23x"
constexpr const char* kSpeedIsAMedian = "speed: the median over pairs of processes, not the quotient of the two times.";

// Whatever came from a file, fit for a cell.
std::string cell(const std::string& text, std::size_t longest = 120) {
  return units::shorten(units::visible(text), longest);
}

std::string label(const ComparedFile& file) { return cell(file.label, kLongestLabel); }

// The labels of the reference and the contenders, in that order, as short as they differ: of nvidia-h200 and
// nvidia-h100 h200 and h100.
std::vector<std::string> short_labels(const CompareReport& report) {
  constexpr std::string_view kBetween = "-_./ ";
  std::vector<std::string> all{report.reference.label};
  for (const ComparedContender& contender : report.contenders) all.push_back(contender.file.label);
  std::size_t common = 0;
  for (std::size_t i = 0;
       std::ranges::all_of(all, [&](const std::string& one) { return i + 1 < one.size() && one[i] == all.front()[i]; });
       ++i) {
    if (kBetween.find(all.front()[i]) != kBetween.npos) common = i + 1;
  }
  for (std::string& one : all) one = cell(one.substr(common), kLongestLabel);
  return all;
}

// A table in text has less room for titles than one on a page.
enum class On { text, page };

// A column of times: what tells the file from the others, or what it is to the comparison where text has no room.
std::string title(const std::string& label, const char* otherwise, On on) {
  return on == On::text && units::display_width(units::visible(label)) > kLongestTitle ? otherwise : label;
}

std::vector<Column> columns(const CompareReport& report, On on) {
  // The column that a reader misses least goes first.
  enum Spare { kNever, kMde, kShare, kP, kCount };
  const std::vector<std::string> labels = short_labels(report);
  std::vector<Column> columns{left("benchmark", Fold::above), left("mode"),
                              right(title(labels.front(), "reference", on)), right("of limit", kShare)};
  for (std::size_t c = 1; c < labels.size(); ++c) {
    columns.insert(columns.end(),
                   {right(title(labels[c], "contender", on)), right("of limit", kShare), right(kSpeed),
                    left("interval"), right("p", kP), right("MDE", kMde), right("n", kCount), left("verdict")});
  }
  columns.push_back(left("notes", Fold::below_or_once));
  return columns;
}

void add_contender(std::vector<std::string>& cells, const compare::Comparison* row) {
  if (row == nullptr) {
    cells.insert(cells.end(), 8, "");
    return;
  }
  for (std::string text :
       {value_text(*row, row->contender), share_text(row->contender), as_fast_text(*row), as_fast_interval_text(*row),
        p_text(*row), mde_text(*row), count_text(*row), verdict_text(*row)}) {
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

void add_row(Table& table, const CompareReport& report, const CompareRow& row, const std::string& name) {
  const compare::Comparison& any = row.any();
  std::vector<std::string> cells{cell(label_text(any, name)), mode_text(any), cell(value_text(any, any.baseline)),
                                 share_text(any.baseline)};
  for (const compare::Comparison* one : row.in) add_contender(cells, one);
  cells.push_back(notes(report, row));
  table.row(std::move(cells));
}

Table environment_table(const CompareReport& report, std::span<const EnvironmentLine> lines) {
  std::vector<Column> columns{left("differs"), left("")};
  for (const std::string& label : short_labels(report)) columns.push_back(left(label));
  for (std::size_t i = 2; i < columns.size(); ++i) columns[i].fold = Fold::wrapped;
  Table table(columns);
  table.instead = kSameEnvironment;
  for (const EnvironmentLine& line : lines) {
    std::vector<std::string> cells{cell(line.key), line.hard ? "hard" : ""};
    for (const std::string& value : line.values) {
      const bool are_boards = line.key == "board" && value != "unknown";
      cells.push_back(cell(are_boards ? compare::few_boards(value) : value, 80));
    }
    table.row(cells);
  }
  return table;
}

Table empty_table(const CompareReport& report, On on) {
  Table table(columns(report, on));
  table.badges = verdict_badges();
  return table;
}

// Neighbours of one operation, as long as their names have parameters.
std::vector<Rows> neighbours(Rows rows) {
  std::vector<Rows> groups;
  for (auto first = rows.begin(); first != rows.end();) {
    const std::string operation = figures::operation_of(first->any().name);
    const auto last = std::find_if(
        first, rows.end(), [&](const CompareRow& row) { return figures::operation_of(row.any().name) != operation; });
    groups.emplace_back(first, last);
    first = last;
  }
  return groups;
}

bool has_parameters(Rows group) { return !figures::parts_of(group.front().any().name).empty(); }

// With what the names of neighbours have in common above them. Where some have that, a row without neighbours has its
// operation above it, not theirs.
Table rows_table(const CompareReport& report, const std::vector<CompareRow>& rows, On on) {
  const std::vector<Rows> groups = neighbours(rows);
  const bool any = std::ranges::any_of(groups, [](Rows group) { return group.size() > 1 && has_parameters(group); });
  Table table = empty_table(report, on);
  for (const Rows group : groups) {
    std::vector<std::string> names;
    for (const CompareRow& row : group) names.push_back(row.any().name);
    if (!any || !has_parameters(group)) {
      for (const CompareRow& row : group) add_row(table, report, row, row.any().name);
      continue;
    }
    const figures::Parts common = group.size() > 1 ? figures::common_parts(names) : figures::Parts{};
    table.group(cell(figures::operation_of(names.front()) + (common.empty() ? "" : " " + figures::text_of(common))));
    for (const CompareRow& row : group) {
      add_row(table, report, row, figures::label_without(row.any().name, common));
      table.lines.back().name = row.any().name;
    }
  }
  return table;
}

std::string interval_of(const compare::FamilySummary& family) {
  if (!family.ratio || family.ratio->interval.level <= 0) return "";
  return compare::as_fast_interval_text(family.ratio->interval.low, family.ratio->interval.high);
}

// More contenders than a reader looks through row by row, who did not ask for that.
bool are_many(const CompareReport& report, const CompareOptions& options) {
  constexpr std::size_t kMost = 2;
  return report.contenders.size() > kMost && !options.all && options.only.empty();
}

// counted: families of which nothing is on both sides are counted already. sums: without the single families.
Table families_table(const CompareReport& report, bool counted, bool sums = false) {
  Table table({left("family"), left("contender"), right(kSpeed), left("interval", Fold::none, 1), right("of", 2),
               right("slower"), right("faster"), right("same"), right("undecided"), right("others", 3)});
  table.notes = {kFamilies};
  for (const ComparedContender& contender : report.contenders) {
    for (const compare::FamilySummary& family : contender.families) {
      if ((counted && family.benchmarks == 0) || (sums && &family != &contender.families.back())) continue;
      const std::string which = report.contenders.size() > 1 ? label(contender.file) : "";
      table.row({cell(family.family), which, family.ratio ? compare::as_fast_text(family.ratio->value) : "",
                 interval_of(family), std::to_string(family.benchmarks), std::to_string(family.slower),
                 std::to_string(family.faster), std::to_string(family.same), std::to_string(family.inconclusive),
                 family.others > 0 ? std::to_string(family.others) : ""});
    }
  }
  return table;
}

std::vector<std::string> files_text(const CompareReport& report) {
  const auto line_of = [](const char* side, const ComparedFile& file) {
    return side + label(file) + ": " + cell(file_line(file), 400);
  };
  std::vector<std::string> lines{line_of("reference  ", report.reference)};
  for (const ComparedContender& contender : report.contenders) lines.push_back(line_of("contender  ", contender.file));
  for (std::string& text : std::vector{libraries_text(report), two_runs_text(report), replication_text(report)}) {
    if (!text.empty()) lines.push_back(std::move(text));
  }
  return lines;
}

// Lines that others wrote in part: each no longer than a reader wants it.
List listed(std::vector<std::string> lines) {
  constexpr std::size_t kLongestLine = 800;
  for (std::string& line : lines) line = cell(line, kLongestLine);
  return {std::move(lines), false};
}

// Rows that are folded away on a page, and in text said to be there. where: the flag that shows them.
void add_folded(Blocks& blocks, const std::string& text, Table table, const char* where) {
  blocks.push_back(Folded{text, {std::move(table)}, fmt::format("{}: {}.", text, where)});
}

// "158 missing (fusion 158), 47 added (fusion 40, gemm 7)"
std::string one_sided_text(const std::vector<CompareRow>& rows) {
  std::vector<std::string> parts;
  for (const auto& [verdict, word] :
       {std::pair(compare::Verdict::missing, "missing"), {compare::Verdict::added, "added"}}) {
    std::vector<std::pair<std::string, int>> families;
    int all = 0;
    for (const CompareRow& row : rows) {
      if (row.any().verdict != verdict) continue;
      ++units::entry(families, cell(row.any().family, kLongestLabel), &std::pair<std::string, int>::first).second;
      ++all;
    }
    if (all == 0) continue;
    const std::string each = units::joined(families | std::views::transform([](const auto& family) {
                                             return fmt::format("{} {}", family.first, family.second);
                                           }));
    parts.push_back(fmt::format("{} {} ({})", all, word, each));
  }
  return units::joined(parts);
}

// The word is that of the conclusion.
std::string unchanged_text(const Comparison& one) {
  return one.verdict == compare::Verdict::same ? "the same" : "undecided";
}

// "More rows: 36 SLOWER, 240 FASTER, 2 undecided with longer tails, 5 not judged"
std::string further_text(const std::vector<CompareRow>& rows) {
  std::vector<std::pair<std::string, int>> counts;
  for (const CompareRow& row : rows) {
    const Comparison& one = telling(row);
    const std::string what = !one.judged                             ? "not judged"
                             : compare::finds_no_change(one.verdict) ? unchanged_text(one) + " with longer tails"
                                                                     : verdict_text(one);
    ++units::entry(counts, what, &std::pair<std::string, int>::first).second;
  }
  return "More rows: " + units::joined(counts | std::views::transform([](const auto& one) {
                                         return fmt::format("{} {}", one.second, one.first);
                                       }));
}

// Whether a reader who divides one time of a row by the other gets another ratio.
bool differs_from_quotient(const CompareRow& row) {
  constexpr double kSeen = 0.01;
  return std::ranges::any_of(row.in, [](const Comparison* one) {
    if (one == nullptr || !one->metric.empty() || !one->ratio || !one->baseline.value || !one->contender.value)
      return false;
    return std::abs(*one->contender.value / *one->baseline.value / *one->ratio - 1) > kSeen;
  });
}

// Rows that did not change, or cannot be told to have. Counters that are not judged are too many for a page.
Block unchanged_block(const CompareReport& report, const ChosenRows& rows, On on) {
  const std::string shown_by = ": --all shows them.";
  const std::string unjudged = rows.unjudged.empty() ? "" : unjudged_text(rows.unjudged);
  if (rows.folded.empty()) return listed({unjudged + shown_by});
  const std::string text = folded_text(rows.folded);
  Table table = rows_table(report, rows.folded, on);
  if (!unjudged.empty()) table.notes.push_back(unjudged + shown_by);
  return Folded{text, {std::move(table)}, text + (unjudged.empty() ? "" : ", " + unjudged) + shown_by};
}

// The rows that changed, and the others folded.
Blocks rows_blocks(const CompareReport& report, const CompareOptions& options, const std::string& title, On on) {
  const ChosenRows rows = chosen_rows(report, options);
  Table table = rows_table(report, rows.shown, on);
  table.title = title;
  const bool none = rows.folded.empty() && !rows.one_sided.empty();
  table.instead = none ? "No benchmark is on both sides." : no_rows_text(rows.folded);
  if (std::ranges::any_of(rows.shown, differs_from_quotient)) table.notes.emplace_back(kSpeedIsAMedian);
  if (!rows.further.empty() && options.sort == Sort::file) table.notes.emplace_back(kListed);
  Blocks blocks{std::move(table)};
  if (!rows.further.empty())
    add_folded(blocks, further_text(rows.further), rows_table(report, rows.further, on), "--all shows them");
  if (!rows.folded.empty() || !rows.unjudged.empty()) blocks.push_back(unchanged_block(report, rows, on));
  if (!rows.one_sided.empty()) {
    add_folded(blocks, one_sided_text(rows.one_sided), rows_table(report, rows.one_sided, on),
               "--only missing,added lists them");
  }
  return blocks;
}

// The keys that differ, as many as a reader looks at, and the others folded.
Blocks environment_blocks(const CompareReport& report, const CompareOptions& options) {
  constexpr std::size_t kMost = 4;
  const std::vector<EnvironmentLine> lines = environment_lines(report);
  const bool all = options.all || lines.size() <= kMost + 1;  // one more takes no more room than to say so
  const std::size_t shown = all ? lines.size() : kMost;
  Blocks blocks{environment_table(report, std::span(lines).first(shown))};
  if (shown < lines.size()) {
    add_folded(blocks, fmt::format("{} more differ", lines.size() - shown),
               environment_table(report, std::span(lines).subspan(shown)), "--all shows them");
  }
  return blocks;
}

// A table for each contender, since several do not stand side by side in text, or one of all.
Either rows_of(const CompareReport& report, const CompareOptions& options) {
  if (report.contenders.size() == 1)
    return {rows_blocks(report, options, "", On::text), rows_blocks(report, options, "", On::page)};
  Blocks each;
  for (const ComparedContender& contender : report.contenders) {
    const CompareReport alone{report.reference, {contender}, report.policy};
    std::ranges::move(rows_blocks(alone, options, conclusions(alone).front(), On::text), std::back_inserter(each));
  }
  if (are_many(report, options)) {
    const std::string text = fmt::format("Benchmarks of {} contenders", report.contenders.size());
    each = {Folded{text, std::move(each), text + ": --all shows them; compare two files to see which differ most."}};
  }
  return {std::move(each), rows_blocks(report, options, "", On::page)};
}

Heading html_heading(const char* title, const char* id) { return {.title = title, .id = id, .html_only = true}; }

// Times of whole steps, for which a screen has no room unless all is asked for.
Blocks steps_blocks(const CompareReport& report, bool on_screen) {
  const std::vector<std::string> labels = short_labels(report);
  const auto tables = [&](On on) {
    Blocks all;
    for (std::size_t c = 0; c < report.contenders.size(); ++c) {
      Table table =
          steps_table(report.contenders[c], title(labels[0], "reference", on), title(labels[c + 1], "contender", on));
      if (!table.empty()) all.emplace_back(std::move(table));
    }
    return all;
  };
  if (tables(On::page).empty()) return {};
  return {html_heading("Training steps", "steps"), Either{on_screen ? tables(On::text) : Blocks{}, tables(On::page)}};
}

bool has_steps(const CompareReport& report) {
  return std::ranges::any_of(
      report.contenders, [](const ComparedContender& contender) { return !steps_table(contender, "", "").empty(); });
}

// A screen has no line for them but that of the legend.
void say_where_steps_are(Blocks& means) {
  const std::string where = "--all has whole training steps, too.";
  Folded* const legend = means.empty() ? nullptr : std::get_if<Folded>(&means.back());
  if (legend == nullptr) {
    means.push_back(listed({where}));
  } else {
    legend->instead += " " + where;
  }
}

std::ptrdiff_t compared_rows_of(const ComparedContender& contender) {
  return std::ranges::count_if(contender.rows, [](const Comparison& row) { return row.ratio.has_value(); });
}

// The contenders that have most in common with the reference, as many as fit a screen.
CompareReport for_a_screen(CompareReport report) {
  constexpr std::size_t kMost = 4;
  std::vector<ComparedContender>& all = report.contenders;
  if (all.size() <= kMost) return report;
  std::ranges::stable_sort(all, std::greater(), compared_rows_of);
  all.resize(kMost);
  return report;
}

// left_out: contenders that the report lacks.
Blocks blocks_of(const CompareReport& report, const CompareOptions& options, std::size_t left_out) {
  std::vector<std::string> answers = compare::speeds_of_models(report);
  std::ranges::move(conclusions(report), std::back_inserter(answers));
  if (left_out > 0) {
    answers.push_back(fmt::format("{} with less in common with {}: --all shows them.",
                                  units::counted(static_cast<std::ptrdiff_t>(left_out), "more contender"),
                                  label(report.reference)));
  }
  Blocks blocks{html_heading("Conclusion", "summary"), listed(std::move(answers)), listed(files_text(report))};
  if (!are_many(report, options)) std::ranges::move(steps_blocks(report, options.all), std::back_inserter(blocks));
  blocks.insert(blocks.end(), {html_heading("Benchmarks", "benchmarks"), rows_of(report, options),
                               html_heading("Environment", "environment")});
  std::ranges::move(environment_blocks(report, options), std::back_inserter(blocks));
  const ChosenRows rows = chosen_rows(report, options);
  if (Table families = families_table(report, !rows.one_sided.empty()); !families.empty()) {
    blocks.push_back(html_heading("Families", "families"));
    if (are_many(report, options)) {
      blocks.push_back(Either{{families_table(report, !rows.one_sided.empty(), true)}, {std::move(families)}});
    } else {
      blocks.push_back(std::move(families));
    }
  }
  blocks.push_back(html_heading("Method", "method"));
  Blocks means = legend_blocks(listed(legend(report, rows.shown)), options.legend);
  if (!options.all && !are_many(report, options) && has_steps(report)) say_where_steps_are(means);
  std::ranges::move(means, std::back_inserter(blocks));
  return blocks;
}

}  // namespace

Blocks compared_blocks(const compare::CompareReport& report, const CompareOptions& options) {
  return blocks_of(report, options, 0);
}

std::string compare_legend(const compare::Policy& policy, const CompareOptions& options) {
  CompareReport report;
  report.reference.label = "the reference";
  report.policy = policy;
  return rendered({"cupel compare", "Comparison", {listed(compare::legend(report, {}, true))}}, options.format,
                  options.terminal);
}

std::string compare(const compare::CompareReport& report, const CompareOptions& options) {
  switch (options.format) {
    case Format::csv:
      return compare_csv(report, options);
    case Format::json:
      return compare_json(report, options);
    case Format::html:
      return rendered({"cupel compare", "Comparison", compared_blocks(report, options)}, options.format);
    default:
      const CompareReport shown = are_many(report, options) ? for_a_screen(report) : report;
      return rendered({"cupel compare", "Comparison",
                       blocks_of(shown, options, report.contenders.size() - shown.contenders.size())},
                      options.format, options.terminal);
  }
}

}  // namespace cupel::report
