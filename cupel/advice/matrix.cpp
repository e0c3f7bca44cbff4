#include "cupel/advice/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "cupel/advice/words.hpp"

namespace cupel::advice {
namespace {

bool has_decided(const AdviceCell& cell) { return cell.result != nullptr && is_decided(cell.result->verdict); }

std::vector<AdviceMatrixRow> rows_of(const std::vector<std::vector<AdviceResult>>& machines) {
  std::vector<AdviceMatrixRow> rows;
  std::map<std::string, std::size_t> known;
  for (std::size_t m = 0; m < machines.size(); ++m) {
    for (const AdviceResult& result : machines[m]) {
      const auto [entry, fresh] = known.emplace(result.id, rows.size());
      if (fresh) rows.push_back({result.id, std::vector<AdviceCell>(machines.size()), false, false});
      rows[entry->second].cells[m] = {&result, result.place.number};
    }
  }
  std::erase_if(rows, [](const AdviceMatrixRow& row) { return std::ranges::none_of(row.cells, has_decided); });
  return rows;
}

void find_differing_verdicts(AdviceMatrixRow& row) {
  std::set<AdviceVerdict> verdicts;
  for (const AdviceCell& cell : row.cells) {
    if (has_decided(cell)) verdicts.insert(cell.result->verdict);
  }
  row.verdict_differs = verdicts.size() > 1;
}

// Two pieces that pay on two machines, one ahead here and the other there, both times by the same key: a step that was
// measured on one machine alone makes no order that others could change.
bool swaps(const AdviceMatrixRow& a, const AdviceMatrixRow& b) {
  const auto key = [](const AdviceCell& cell) { return cell.result->gains.in_step.has_value(); };
  std::set<std::pair<bool, bool>> ahead, behind;
  for (std::size_t m = 0; m < a.cells.size(); ++m) {
    const AdviceCell &one = a.cells[m], &other = b.cells[m];
    if (one.rank == 0 || other.rank == 0 || one.rank == other.rank) continue;
    (one.rank < other.rank ? ahead : behind).emplace(key(one), key(other));
  }
  return std::ranges::any_of(ahead, [&](const auto& keys) { return behind.contains(keys); });
}

double mean_log_gain(const AdviceMatrixRow& row) {
  double sum = 0;
  int count = 0;
  for (const AdviceCell& cell : row.cells) {
    if (!has_decided(cell)) continue;
    const AdviceResult& result = *cell.result;
    sum +=
        std::log((result.verdict == AdviceVerdict::pays ? result.gains.least_gain : result.gains.typical).value_or(1));
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

// Pieces with a rank on some machine go first, by their best one.
int best_rank(const AdviceMatrixRow& row) {
  int best = std::numeric_limits<int>::max();
  for (const AdviceCell& cell : row.cells) {
    if (cell.rank > 0) best = std::min(best, cell.rank);
  }
  return best;
}

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

bool has_measured(const AdviceCell& cell) { return cell.result != nullptr && was_measured(*cell.result); }

}  // namespace

bool was_measured(const AdviceResult& result) {
  return result.gains.in_step || result.verdict <= AdviceVerdict::undecided;
}

std::vector<AdviceMatrixRow> advice_matrix(const std::vector<std::vector<AdviceResult>>& machines) {
  std::vector<AdviceMatrixRow> rows = rows_of(machines);
  for (AdviceMatrixRow& row : rows) {
    find_differing_verdicts(row);
    row.rank_differs = std::ranges::any_of(rows, [&](const AdviceMatrixRow& other) { return swaps(row, other); });
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, mean_log_gain);
  std::ranges::stable_sort(rows, {}, best_rank);
  return rows;
}

std::size_t keep_first(std::vector<AdviceMatrixRow>& rows, std::size_t most) {
  std::ranges::stable_sort(rows, std::ranges::greater{},
                           [](const AdviceMatrixRow& row) { return std::ranges::count_if(row.cells, has_measured); });
  const std::size_t left_out = rows.size() - std::min(rows.size(), most);
  rows.resize(rows.size() - left_out);
  return left_out;
}

std::string change_text(const AdviceMatrixRow& row) {
  if (row.verdict_differs) return row.rank_differs ? "verdict, rank" : "verdict";
  return row.rank_differs ? "rank" : "";
}

std::string cell_text(const AdviceCell& cell, CellWords words) {
  if (cell.result == nullptr || cell.result->verdict == AdviceVerdict::not_measured) return "-";
  const AdviceResult& result = *cell.result;
  const std::string rank = cell.rank > 0 ? fmt::format(" #{}", cell.rank) : "";
  if (result.gains.in_step) {
    if (words == CellWords::whole) return step_text(result) + rank;
    const std::string gain = gain_text(result.gains.in_step->ratio, result.kind);
    return gain + (words == CellWords::verdict ? " in a step" : "") + rank;
  }
  if (result.verdict == AdviceVerdict::mixed) return to_string(AdviceVerdict::mixed);
  const std::string headline = headline_figure(result);
  const bool has_figure = result.verdict <= AdviceVerdict::undecided;
  if (cell.rank > 0) return headline + rank;
  if (words == CellWords::figure) return has_figure ? headline + " " + mark(result.verdict) : "-";
  if (words == CellWords::verdict && result.verdict == AdviceVerdict::undecided) return verdict_said(result);
  const std::string few = words == CellWords::whole ? few_text(result) : "";
  return (has_figure && !headline.empty() ? headline + " " : "") + verdict_said(result) + few;
}

}  // namespace cupel::advice
