// Several machines side by side, and how the figures were made.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cupel/advice/matrix.hpp"
#include "cupel/advice/paired_shift.hpp"
#include "cupel/advice/words.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/machine.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/report/advise/parts.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report {
namespace {

using advice::AdviceCell;
using advice::AdviceMatrixRow;
using advice::AdviceResult;
using advice::AdviceVerdict;

constexpr std::size_t kIdWidth = 22;

// "A", "B", ..., "27".
std::string letter(std::size_t machine) {
  return machine < 26 ? std::string(1, static_cast<char>('A' + machine)) : std::to_string(machine + 1);
}

constexpr std::size_t kMostInWords = 4;

// The verdict in a character where there is no room for its words.
const char* mark(AdviceVerdict verdict) {
  switch (verdict) {
    case AdviceVerdict::harms:
      return "!";
    case AdviceVerdict::no_difference:
      return "=";
    case AdviceVerdict::undecided:
      return "?";
    default:
      return "";
  }
}

std::string cell_text(const AdviceCell& cell, bool in_words) {
  if (cell.result == nullptr || cell.result->verdict == AdviceVerdict::not_measured) return "-";
  const AdviceResult& result = *cell.result;
  if (result.gains.in_step) return fmt::format("{} #{}", step_text(result), cell.rank);
  if (result.verdict == AdviceVerdict::mixed) return to_string(AdviceVerdict::mixed);
  const std::string headline = headline_figure(result);
  const bool has_figure = result.verdict <= AdviceVerdict::undecided;
  if (!in_words && cell.rank == 0) return has_figure ? headline + " " + mark(result.verdict) : "-";
  if (cell.rank > 0) return fmt::format("{} #{}", headline, cell.rank);
  return (has_figure && !headline.empty() ? headline + " " : "") + verdict_said(result) + advice::few_text(result);
}

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

std::string change_text(const AdviceMatrixRow& row) {
  if (row.verdict_differs) return row.rank_differs ? "verdict, rank" : "verdict";
  return row.rank_differs ? "rank" : "";
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

}  // namespace

void add_matrix(Page& page, const std::vector<AdvisedFile>& files) {
  std::vector<std::vector<AdviceResult>> machines;
  for (const AdvisedFile& file : files) machines.push_back(file.advice);
  const std::vector<AdviceMatrixRow> rows = advice::advice_matrix(machines);

  std::vector<std::pair<std::string, std::string>> legend;
  for (std::size_t m = 0; m < files.size(); ++m) {
    legend.emplace_back(letter(m), figures::machine_name(files[m].context) + ", " + files[m].path);
  }
  const record::Context& first = files.front().context;
  bool is_one_machine = true;
  for (std::size_t m = 1; m < files.size(); ++m) {
    std::vector<std::string> changes;
    for (const figures::Difference& difference : figures::differences(first, files[m].context)) {
      changes.push_back(to_string(difference));
      is_one_machine = is_one_machine && difference.hardness == figures::Hardness::soft && difference.name != "board";
    }
    if (!changes.empty()) legend.emplace_back(letter(m) + " differs", units::joined(changes, "; "));
  }
  page.heading(is_one_machine ? "Runs" : "Machines");
  page.fields(legend);
  page.paragraph(figures::kTwoRuns);
  if (rows.empty()) {
    page.paragraph("No piece of advice was decided on any of them.");
    return;
  }
  std::vector<Column> columns{left("advice")};
  for (std::size_t m = 0; m < files.size(); ++m) columns.push_back(verdicts(letter(m), Fold::wrapped));
  columns.push_back(left("changes", Fold::below));
  const bool in_words = files.size() <= kMostInWords;
  Table table(columns);
  table.badges = advice_badges();
  for (const AdviceMatrixRow& row : rows) {
    std::vector<std::string> cells{units::shorten(row.id, kIdWidth)};
    for (const AdviceCell& cell : row.cells) cells.push_back(cell_text(cell, in_words));
    cells.push_back(change_text(row));
    table.row(cells);
  }
  page.heading(is_one_machine ? "Same advice, each run" : "Same advice, each machine");
  page.add(std::move(table));
  page.paragraph(std::string("#n: place among what pays on that machine. ") +
                 (in_words ? "" : "!: harms, or costs. =: no difference. ?: undecided. ") +
                 "verdict: not the same on all. rank: ahead of another piece on one machine and behind it on another.");
}

void add_method(Page& page, const std::vector<AdvisedFile>& files, const AdviseOptions& options) {
  const int exact = advice::least_for_exact(options.rules.level);
  int least = exact;
  for (const AdvisedFile& file : files) least = std::min(least, file.context.run.processes);
  std::string text = fmt::format(
      "gain: time before / time after, in the same process{}; a piece has that of its largest sizes where it pays or "
      "harms, the least and the greatest of several scenarios, precisions and families, and stands by the least where "
      "no step tells; what is mixed has the ends of all its points. saves: of what the benchmark does at a "
      "time, a call, a few steps or an epoch, as cupel explain says of it; of a training step of yours: cupel advise "
      "--step FILE. pays: the {} interval over processes is a gain of more than {}; harms: a loss of more.",
      other_metrics(files, options.only), percent(options.rules.level), percent(options.rules.tolerance));
  if (least > 1 && least < exact) {
    text += fmt::format(
        " Of {} processes no interval by ranks has that level (their range has {}): that range is shown, and the "
        "verdict is by Student's interval, widened to it, which holds if the logarithms of the ratios are about "
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
