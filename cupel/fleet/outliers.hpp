// The list of what stands out in a fleet.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "cupel/fleet/fleet.hpp"

namespace cupel::fleet {

/// A machine in everything, a family of it or a single benchmark.
enum class Part { machine, family, benchmark };

constexpr auto names_of(Part) { return std::array{"machine", "family", "benchmark"}; }

/// A figure of the fleet, which must outlive it.
struct Outlier {
  Part what = Part::machine;
  const FleetFigure* figure = nullptr;
};

struct Outliers {
  std::vector<Outlier> rows;
  std::size_t folded = 0;  ///< benchmarks that stand out with their family or machine
};

/// Lists what stands out: machines before families before benchmarks, of each the largest effect first. all: benchmarks
/// that stand out with their family or machine have rows, too, in place of being counted.
Outliers outliers_of(const Fleet& fleet, bool all);

/// Returns how many benchmarks stand out with a family or a machine.
int benchmarks_within(const Fleet& fleet, const FleetFigure& whole);

}  // namespace cupel::fleet
