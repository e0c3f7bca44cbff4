// The cost of a pair of events: one floor for a whole run, and what follows from it for each row.
#pragma once

#include <span>
#include <string>

#include "cupel/record/forward.hpp"

namespace cupel::record {

/// The times of the shortest works by the device's own account: what is left of an event pair around them is its cost.
struct ShortestWork {
  double kernel_s = 0;  ///< an empty kernel
  double copy_s = 0;    ///< a primed copy of 4 bytes to the host
  std::string source;   ///< who says so
};

/// Puts the shortest works' times and their source into the calibration.
void set_shortest_work(Calibration& calibration, const ShortestWork& shortest);

/// Sets the two floors of `calibration` from its event pairs: the inter-quartile mean over all of them, less the
/// shortest work, and never below zero. Without pairs or without the shortest work the floors stay as they are.
///
/// One reading is off by about as much as processes differ in a short row (200 samples on a grid of 32 ns), so a floor
/// that each process reads for itself adds its own noise to every such row.
void pool_floor(Calibration& calibration);

/// Gives each series that was timed by events the pooled floor as its correction, and puts first the series that is the
/// figure by it. Rows of other clocks, and of files from before series named their engine, are left alone. May be
/// applied again when more event pairs are there.
void apply_floor(std::span<Row> rows, const Calibration& calibration);

/// Pools the floor of a run and applies it to all of its rows.
void apply_floor(ResultSet& results);

/// Makes the cold series the figure or, where its location is below three floors and cannot be told from the cost of
/// measuring, the hot one; below_floor says which it was.
void choose_figure(Row& row);

}  // namespace cupel::record
