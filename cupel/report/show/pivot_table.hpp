// A pivot as people read it: a figure a cell, its relative error beside it where there is one, and footnotes.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cupel/figures/pivot.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// The metric in the cells. automatic: the counter that all of them are judged by; where there is none the rate, if the
/// work is counted in bytes or operations and its advice does not ask for times; else the time.
enum class Metric { automatic, rate, time, limit };
constexpr auto names_of(Metric) { return std::array{"automatic", "rate", "time", "limit"}; }

/// "2.1e-4": its size is what tells one precision from another.
std::string error_text(double error);

/// A figure whose interval is wider to one side than this share of it is marked.
inline constexpr double kWide = 0.05;

struct PivotTable {
  /// Titled "gemm/square: TFLOP/s in bursts by precision, relative error in parentheses", its keys what tells the rows
  /// apart. Notes:
  /// "[1] skipped: no memory", in order; last the mode of cells without a mark of theirs, where there are several, and
  /// likewise the limit of shares: "limit where none is named: device memory".
  Table table;
  std::vector<const figures::Figure*> members;  ///< the benchmarks that it tells of
  bool mixes_modes = false;                     ///< cold, hot, host; those that are not of the usual one are marked
};

/// Rows and columns of which nothing could be measured here are left out. Nothing if that leaves fewer than two
/// columns, or none of them has such a figure. The figures of the pivot must outlive it.
std::optional<PivotTable> pivot_table(const figures::Pivot& pivot, Metric metric);

}  // namespace cupel::report
