// The same advice on several machines: where the verdict or the ranking differs.
#pragma once

#include <string>
#include <vector>

#include "cupel/advice/advice.hpp"

namespace cupel::advice {

struct AdviceCell {
  const AdviceResult* result = nullptr;
  int rank = 0;  ///< the number of its place
};

struct AdviceMatrixRow {
  std::string id;
  std::vector<AdviceCell> cells;  ///< one a machine, in order
  bool verdict_differs = false;   ///< among the machines on which it was decided
  bool rank_differs = false;      ///< pays on two or more machines, at places that swap with another piece's
};

/// Whether a step or its own benchmarks say something of it.
bool was_measured(const AdviceResult& result);

/// Every id that pays, is mixed, harms, or makes no difference on at least one machine, first what has a rank, by its
/// best one, then by the mean of the logarithms of the gains. The results stay with the caller.
std::vector<AdviceMatrixRow> advice_matrix(const std::vector<std::vector<AdviceResult>>& machines);

/// Puts first what was measured on most machines, and keeps that many rows. Returns how many it took away.
std::size_t keep_first(std::vector<AdviceMatrixRow>& rows, std::size_t most);

/// "verdict, rank": what differs.
std::string change_text(const AdviceMatrixRow& row);

/// How much a cell says: where columns are many its figure alone, else the verdict too, and of all rows what else there
/// is.
enum class CellWords { figure, verdict, whole };
std::string cell_text(const AdviceCell& cell, CellWords words);

}  // namespace cupel::advice
