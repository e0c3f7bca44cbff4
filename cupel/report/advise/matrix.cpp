// Several machines side by side, and how the figures were made.
#include "cupel/report/advise/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>

#include "cupel/advice/paired_shift.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using advice::AdviceCell;
using advice::AdviceMatrixRow;
using advice::AdviceResult;
using advice::CellWords;

constexpr std::size_t kIdWidth = 22;

// "A", "B", ..., "27".
std::string letter(std::size_t machine) {
  return machine < 26 ? std::string(1, static_cast<char>('A' + machine)) : std::to_string(machine + 1);
}

// So many machines have words in their cells, and are said to differ in what.
constexpr std::size_t kMostInWords = 4, kMostDescribed = 6;

std::string percent(double share) { return fmt::format("{:g} %", 100 * share); }

// The pieces that are judged by something else than their time, with how: "; of fragmentation largest block after /
// ...".
std::string other_metrics(const std::vector<AdvisedFile>& files, const std::string& only) {
  std::string text;
  std::set<std::string> named;
  for (const AdvisedFile& file : files) {
    for (const AdviceResult& result : file.advice) {
      if (result.metric.is_time() || result.measured().empty() || !named.insert(result.id).second) continue;
      if (only.empty() || result.id == only) text += "; of " + result.id + " " + ratio_text(result.metric);
    }
  }
  return text;
}

std::set<record::Mode> modes_of(const std::vector<AdvisedFile>& files) {
  std::set<record::Mode> modes;
  for (const AdvisedFile& file : files) {
    for (const AdviceResult& result : file.advice) {
      for (const advice::AdvicePoint* point : result.measured()) {
        if (point->mode) modes.insert(*point->mode);
      }
    }
  }
  return modes;
}

// Names what a machine or run differs in from the first, or of all of it both values.
std::string differs_text(const record::Context& first, const record::Context& other, bool whole) {
  constexpr std::size_t kMost = 4;
  std::vector<figures::Difference> all = figures::differences(first, other);
  if (whole) return units::joined(all | std::views::transform([](const auto& one) { return to_string(one); }), "; ");
  std::ranges::stable_partition(all, [](const auto& one) { return one.hardness == figures::Hardness::hard; });
  std::vector<std::string> names;
  for (const figures::Difference& one : all) names.push_back(one.name);
  const std::size_t more = names.size() - std::min(names.size(), kMost);
  names.resize(names.size() - more);
  return units::joined(names) + (more > 0 ? fmt::format("; {} more: --verdicts", more) : "");
}

std::vector<std::pair<std::string, std::string>> machines_fields(const std::vector<AdvisedFile>& files, bool whole) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (std::size_t m = 0; m < files.size(); ++m) {
    const AdvisedFile& file = files[m];
    fields.emplace_back(letter(m),
                        figures::machine_name(file.context) + ", " + (whole ? file.path : short_name(file.path)));
  }
  if (!whole && files.size() > kMostDescribed) {
    fields.emplace_back("from A", "all others differ; --verdicts says in what");
    return fields;
  }
  for (std::size_t m = 1; m < files.size(); ++m)
    fields.emplace_back(letter(m) + " differs", differs_text(files.front().context, files[m].context, whole));
  return fields;
}

bool are_of_one_machine(const std::vector<AdvisedFile>& files) {
  return std::ranges::all_of(files, [&](const AdvisedFile& file) {
    const auto all = figures::differences(files.front().context, file.context);
    return std::ranges::all_of(all, [](const figures::Difference& one) {
      return one.hardness == figures::Hardness::soft && one.name != "board";
    });
  });
}

// How the change of a row that has a rank is made. What was measured is left out where machines measured it with
// different numbers.
std::string how_of(const AdviceMatrixRow& row) {
  std::vector<std::string> all;
  for (const AdviceCell& cell : row.cells) {
    if (cell.rank == 0) continue;
    if (const auto change = advice::change_of(*cell.result)) units::add_once(all, how_text(*change));
  }
  return all.size() < 2 ? units::joined(all) : catalogue::built_in().find(row.id)->one_line;
}

void add_how(Table& table, const std::vector<AdviceMatrixRow>& rows) {
  table.columns.push_back(left("in PyTorch"));
  for (std::size_t i = 0; i < rows.size(); ++i) table.lines[i].cells.push_back(how_of(rows[i]));
}

bool has_undecided(const AdviceMatrixRow& row) {
  return std::ranges::any_of(row.cells, [](const AdviceCell& cell) {
    return cell.result != nullptr && cell.result->verdict == advice::AdviceVerdict::undecided;
  });
}

// The words of the column of changes that these rows have.
std::string changes_mean(const std::vector<AdviceMatrixRow>& rows) {
  const bool verdict = std::ranges::any_of(rows, &AdviceMatrixRow::verdict_differs);
  const bool rank = std::ranges::any_of(rows, &AdviceMatrixRow::rank_differs);
  std::string text = verdict || rank ? "" : " None of these changes.";
  if (verdict) text += " verdict: not the same on all.";
  if (rank) text += " rank: ahead of another piece on one machine and behind it on another.";
  return text + (std::ranges::any_of(rows, has_undecided) ? " Undecided on one of them is no change." : "");
}

// The pieces to show first, and of those left out how many there are and which have not the same verdict on all.
struct FirstRows {
  std::vector<AdviceMatrixRow> rows;
  std::size_t left_out = 0;
  std::string differ;  // "The verdict on 2 more is not the same on all: logging, non-blocking."
};

FirstRows first_rows(std::vector<AdviceMatrixRow> rows, std::size_t most) {
  constexpr std::size_t kMostNames = 6;
  FirstRows first{.rows = rows, .differ = {}};
  first.left_out = advice::keep_first(first.rows, most);
  std::vector<std::string> names;
  for (const AdviceMatrixRow& row : rows) {
    const bool is_shown = std::ranges::find(first.rows, row.id, &AdviceMatrixRow::id) != first.rows.end();
    if (row.verdict_differs && !is_shown) names.push_back(units::shorten(row.id, kIdWidth));
  }
  if (names.empty()) return first;
  const std::size_t count = names.size();
  if (count > kMostNames) {
    names.resize(kMostNames);
    names.emplace_back("...");
  }
  first.differ = fmt::format("The verdict on {} more is not the same on all: {}.", count, units::joined(names));
  return first;
}

std::ptrdiff_t notes_count(const std::vector<AdvisedFile>& files) {
  std::ptrdiff_t count = 0;
  for (const AdvisedFile& file : files) count += std::ssize(file.causes);
  return count;
}

}  // namespace

Table matrix_table(const std::vector<AdviceMatrixRow>& rows, const std::vector<std::string>& names, CellWords words) {
  std::vector<Column> columns{left("advice")};
  for (const std::string& name : names) columns.push_back(verdicts(name, Fold::wrapped));
  columns.push_back(left("changes", Fold::below));
  Table table(columns);
  table.badges = advice_badges();
  for (const AdviceMatrixRow& row : rows) {
    std::vector<std::string> cells{units::shorten(row.id, kIdWidth)};
    for (const AdviceCell& cell : row.cells) cells.push_back(cell_text(cell, words));
    cells.push_back(change_text(row));
    table.row(cells);
  }
  return table;
}

std::string matrix_key(const std::vector<AdviceMatrixRow>& rows, CellWords words) {
  return std::string("#n: place among what pays on that machine.") +
         (words == CellWords::figure ? " !: harms, or costs. =: no difference. ?: undecided." : "") +
         changes_mean(rows);
}

std::string short_name(const std::string& name) {
  constexpr std::string_view kBetween = ", ";
  int more = 0;
  for (std::size_t at = name.find(kBetween); at != std::string::npos; at = name.find(kBetween, at + 1)) ++more;
  return more == 0 ? name : fmt::format("{} and {} more", name.substr(0, name.find(kBetween)), more);
}

Table short_matrix(const std::vector<std::vector<AdviceResult>>& machines, const std::vector<std::string>& names) {
  const FirstRows first = first_rows(advice::advice_matrix(machines), 12);
  Table table =
      matrix_table(first.rows, names, machines.size() <= kMostInWords ? CellWords::verdict : CellWords::figure);
  add_how(table, first.rows);
  table.title = "What each change gives on each device:";
  table.remark = "time before / time after, not one device against another";
  table.notes = {
      "#n: place among what pays there; without one it pays only if what it replaces is done today, or does not pay. "
      "changes: the verdict, or the rank among the others, is not the same on all."};
  if (!first.differ.empty()) table.notes.push_back(first.differ);
  if (first.left_out > 0)
    table.notes.push_back(fmt::format("{} are in the table of all advice.",
                                      units::counted(static_cast<std::ptrdiff_t>(first.left_out), "more piece")));
  return table;
}

void add_matrix(Page& page, const std::vector<AdvisedFile>& files, bool whole) {
  const bool is_one_machine = are_of_one_machine(files);
  page.heading(is_one_machine ? "Runs" : "Machines");
  page.fields(machines_fields(files, whole));
  page.paragraph(figures::two_runs_remark());
  std::vector<std::vector<AdviceResult>> machines;
  for (const AdvisedFile& file : files) machines.push_back(file.advice);
  const std::vector<AdviceMatrixRow> all = advice::advice_matrix(machines);
  if (all.empty()) {
    page.paragraph("No piece of advice was decided on any of them.");
    return;
  }
  // The cells of more machines take more lines.
  const std::size_t most = files.size() > kMostDescribed ? 6 : files.size() > 2 ? 12 : 20;
  const auto [rows, left_out, differ] = first_rows(all, whole ? all.size() : most);
  const CellWords words = files.size() > kMostInWords ? CellWords::figure
                          : whole                     ? CellWords::whole
                                                      : CellWords::verdict;
  page.heading(is_one_machine ? "Same advice, each run" : "Same advice, each machine");
  std::vector<advice::NamedAdvice> lists;
  std::vector<std::string> names;
  for (std::size_t m = 0; m < files.size(); ++m) {
    names.push_back(letter(m));
    lists.push_back({names.back(), files[m].advice});
  }
  page.add(matrix_table(rows, names, words));
  if (std::string steps = advice::different_steps_words(lists); !steps.empty()) page.paragraph(steps);
  page.paragraph(matrix_key(rows, words) + (differ.empty() ? "" : " " + differ));
  if (whole) return;
  std::string more =
      left_out > 0 ? fmt::format("--verdicts, with {} more pieces; --advice ID", left_out) : "--verdicts; --advice ID";
  if (const std::ptrdiff_t notes = notes_count(files); notes > 0)
    more += fmt::format("; {} to know: --notes", units::counted(notes, "thing"));
  page.add(Fields{{{"more", more}, {"next", "cupel advise FILE, for what to change first on one of them"}}, true});
}

void add_method(Page& page, const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  const int exact = advice::least_for_exact(options.rules.level);
  int least = exact;
  for (const AdvisedFile& file : files) least = std::min(least, file.context.run.processes);
  std::string text = fmt::format(
      "gain: time before / time after, in the same process{}. A piece that pays or harms has the gain of its largest "
      "sizes, from the least to the greatest over scenarios, precisions and families, and is sorted by the least where "
      "no step ranks it; a mixed piece has the ends of all its points. saves: time of what the benchmark does at once "
      "(a "
      "call, a few steps, an epoch: cupel explain says which); cupel advise --step FILE foretells what a training step "
      "of yours saves. pays: the {} interval over processes is a gain of more than {}; harms: a loss of more.",
      other_metrics(files, options.only), percent(options.rules.level), percent(options.rules.tolerance));
  if (least > 1 && least < exact) {
    text += fmt::format(
        " {} processes are too few for an interval by ranks of that level (their range has {}): the range is shown, "
        "and the verdict is by Student's interval, widened to it, which holds if the logarithms of the ratios are "
        "about "
        "normal.",
        least, percent(1 - std::ldexp(1.0, 1 - least)));
  }
  if (!options.only.empty() || options.all)
    text +=
        " Before and after are medians over processes, the gain is of pairs: where processes differ, not their ratio. "
        "n: processes, and in parentheses those left out: disturbed, busy or too short.";
  if (const std::string modes = figures::modes_mean(modes_of(files)); !modes.empty()) text += " " + modes;
  page.paragraph(text);
  if (options.only.empty() && !options.all)
    page.paragraph("--advice ID shows every point of a piece, --all everything.");
}

}  // namespace cupel::report
