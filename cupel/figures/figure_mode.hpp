// The mode that a benchmark is known by over its processes.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "cupel/figures/process.hpp"
#include "cupel/record/forward.hpp"
#include "cupel/record/series.hpp"

namespace cupel::figures {

/// The mode of one benchmark's figure. A process whose cold time is too near to the floor makes the hot batch its
/// figure, and near three floors some processes do and others do not: the times of both are different quantities, so
/// that one mode is taken for all of them.
class FigureMode {
 public:
  /// Adds a process; a row that has no figure counts for nothing.
  void add(const record::Row& row);

  /// Returns the mode of most rows; on a tie the hot one, since as many processes could not tell the cold time. Nothing
  /// without a figure.
  std::optional<record::Mode> mode() const;

 private:
  std::array<int, 4> rows_{};  ///< by mode
};

/// Returns the modes that a benchmark was measured in, its figure's first, the others as they appear.
std::vector<record::Mode> modes_of(std::span<const Process> processes);

}  // namespace cupel::figures
