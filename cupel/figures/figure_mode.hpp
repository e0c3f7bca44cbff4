// The rules by which what one process measured counts, and a benchmark is known in one mode over its processes.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "cupel/record/forward.hpp"
#include "cupel/record/series.hpp"

namespace cupel::figures {

/// Tells whether the figure is host time during which the process's threads waited for a CPU for more than
/// record::kBusy of the sampling: it is a figure of the machine's other work too. Device time goes on while the host
/// waits.
bool is_busy(const record::Row& row);

/// Tells whether a time of this mode cannot be told from the cost of measuring it: only single launches have a floor,
/// so the hot series of such a row can.
inline bool is_below_floor(bool below_floor, record::Mode mode) { return below_floor && mode == record::Mode::cold; }

/// The standing of a process: it counts unless one of the others can be said of it, of which it is the first.
enum class Standing { counts, failed, skipped, cut_short, disturbed, busy };

/// Says whether the process of this row counts, else the first reason why not.
Standing standing_of(const record::Row& row);

/// The mode of one benchmark's figure. A process whose cold time is too near to the floor makes the hot batch its
/// figure, and near three floors some processes do and others do not: the times of both are different quantities, so
/// that one mode is taken for all of them.
class FigureMode {
 public:
  /// Adds a process; a row that has no figure counts for nothing.
  void add(const record::Row& row);

  /// Returns the mode of most rows; of several the hot one, since as many processes could not tell the cold time.
  /// Nothing without a figure.
  std::optional<record::Mode> mode() const;

 private:
  std::array<int, 4> rows_{};  ///< by mode
};

/// Returns the modes that a benchmark was measured in, its figure's first, the others as they appear.
std::vector<record::Mode> modes_of(std::span<const record::Row* const> rows);

/// Returns the location of the samples of one process: the inter-quartile mean of the corrected ones, in seconds.
double location_s(const record::Series& series);

/// Returns how far the slowest samples of one process lie from its location: their 99th percentile over it. Nothing of
/// fewer than ten samples, or of a location that is not above 0.
std::optional<double> tail_of(std::span<const double> samples_s, double location_s);

/// Returns the series of that mode; null where there is none, or no sample of it.
const record::Series* series_of(const record::Row& row, record::Mode mode);

}  // namespace cupel::figures
